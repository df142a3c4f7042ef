"""Hostile files of over a thousand kinds: none ends the program, takes much time or memory, or passes as intact.

`make test` reads every twelfth of the small ones; HOSTILE=all, which `make deep` sets, reads all.
"""
import os
import sys

import pytest

import kinds
import outcome

pytestmark = pytest.mark.skipif(not outcome.PROGRAM.exists(), reason=f"{outcome.PROGRAM} is not built: make build")

ALL = os.environ.get("HOSTILE") == "all"
EVERY, BATCH = 12, 40


def small_cases():
    cases = [case for case in kinds.all_cases() if not case.large]
    return cases if ALL else cases[::EVERY]


def batches():
    cases = small_cases()
    return [cases[at:at + BATCH] for at in range(0, len(cases), BATCH)]


@pytest.mark.parametrize("batch", batches(), ids=lambda batch: batch[0].name.replace(" ", "_"))
def test_small_ones(batch):
    found = {case.name: faults for case in batch if (faults := kinds.faults_of(case))}
    assert not found


@pytest.mark.parametrize("case", [case for case in kinds.all_cases() if case.large] if ALL else [], ids=lambda case: case.name.replace(" ", "_"))
def test_large_ones(case):
    assert not kinds.faults_of(case)


def test_there_are_a_thousand_kinds():
    assert len(kinds.all_cases()) > 1000


# ---- the checker ----

@pytest.fixture
def program(tmp_path):
    def write(script):
        path = tmp_path / "program"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path

    return write


READY = "echo Profiles; echo 'file ready'"
TOLD = f"{READY}; echo; echo Problems; echo head; echo 'file  error  it is cut'"


@pytest.mark.parametrize("script, tells, expected", [
    (READY, "valid", []),
    (TOLD, "told", []),
    ("echo 'file: it is cut' >&2; exit 1", "told", []),
    ("kill -SEGV $$", "any", ["ended by SIGSEGV"]),
    ("kill -ABRT $$", "told", ["ended by SIGABRT"]),
    ("exit 3", "any", ["exit status 3"]),
    ("exit 1", "told", ["failed without a word"]),
    ("exit 0", "any", ["neither a profile nor an error"]),
    (READY, "told", ["took damage for whole and told nothing"]),
    (TOLD, "valid", ["did not take what is valid: file error it is cut"]),
])
def test_the_checker_finds_faults(program, script, tells, expected):
    assert outcome.faults(outcome.run([], program=program(script)), 100, tells) == expected


def test_the_checker_ignores_reports_from_before_the_damage(program):
    ran = outcome.run([], program=program(TOLD))
    assert outcome.faults(ran, 100, "told", sound={"file error it is cut"}) == ["took damage for whole and told nothing"]


def test_the_checker_finds_excess_time_and_memory():
    slow = outcome.Ran(status=0, out="Profiles\n", cpu=11.0)
    assert outcome.faults(slow, 100, "any") == ["11.0 s of processor"]
    large = outcome.Ran(status=0, out="Profiles\n", memory=(128 << 20) + 1001)
    assert outcome.faults(large, 101, "any") == []
    assert outcome.faults(large, 100, "any") == ["128 MiB of memory for 100 bytes"]


def test_the_harness_stops_a_run_over_a_limit(program):
    script = f"exec {sys.executable} -c 'held = bytearray(200 << 20); __import__(\"time\").sleep(1000)'"
    ran = outcome.run([], program=program(script), most_memory=100 << 20)
    assert (ran.stopped, ran.signal) == ("memory", 9)
