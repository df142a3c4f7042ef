# Commands for users. Every target first installs missing requirements (tools/install; takes a moment when
# there is nothing to do). The work itself is in CMakeLists.txt, web/package.json and tools/.
#   make demo    build and serve the sample profile       make test    build and run every test
#   make build   build/release/sightline                  make format  rewrite sources in the house style
#   make bench   benchmarks     make fuzz  FUZZ_SECONDS each     make live  record a live PyTorch process
#   make fleet   lakes with Ray, Iceberg and Trino, whose processes are killed
#   make eval    how the tools for agents do on tasks with planted faults
#   make wheel   the Python package, in build/python/dist      make deep   hours of checks: tools/deep
SHELL := /bin/bash
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
export PATH := $(CURDIR)/.venv/bin:$(PATH)

WEB_SOURCES := $(shell find web \( -name node_modules -o -name dist -o -name .unit \) -prune -o -type f -print)

.DEFAULT_GOAL := build
.PHONY: build readers demo eval test check deep bench fuzz format fleet live wheel release release-tree release-test clean install-build install-test install-deep

# Packing the page keeps one core busy for a while, so the readers are compiled beside it.
build: install-build
	@test -f build/release/build.ninja || cmake --preset release
	@$(MAKE) -s -j 2 web/dist/index.html readers
	@cmake --build build/release -j $(JOBS) --target sightline

readers: install-build
	@cmake --build build/release -j $(JOBS) --target sightline_formats

demo: build
	@build/release/sightline view samples

eval: build
	@tests/agent_eval/evaluate.py

test check: install-test
	@tools/check

deep: install-deep
	@tools/deep

bench: install-test
	@test -f build/release/build.ninja || cmake --preset release
	@cmake --build build/release -j $(JOBS) --target benchmarks
	@bench/make_input.py modern
	@bench/make_ascend.py
	@.venv/bin/python bench/make_ntff.py
	@.venv/bin/python bench/make_xplane.py
	@.venv/bin/python bench/make_pftrace.py
	@.venv/bin/python bench/clients.py build/release/sightline
	@.venv/bin/python bench/views.py --cached
	@.venv/bin/python bench/views.py
	@for source in bench/*.cc; do build/release/bench/$$(basename $$source .cc) || exit 1; done

fuzz: install-test
	@tools/fuzz $(FUZZ_SECONDS)

format: install-test
	@find src tests bench \( -name .venv -o -name node_modules \) -prune -o \( -name '*.cc' -o -name '*.h' \) -print | xargs clang-format -i
	@cd web && npm run --silent format

wheel: build
	@tools/wheel_environments module
	@ls build/python/dist/*.whl

release: install-build web/dist/index.html
	@tools/release/build

release-tree: install-build web/dist/index.html
	@tools/release/build --tree

release-test:
	@tools/release/test

live: build
	@tools/live

fleet: install-test build
	@tools/fleet

clean:
	rm -rf build web/dist

web/dist/index.html: $(WEB_SOURCES) | install-build
	cd web && npm run build
	@touch $@

install-build:
	@tools/install build

install-test:
	@tools/install test

install-deep:
	@tools/install deep
