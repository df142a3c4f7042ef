# Builds the page for a wheel if the tree has none or an old one, with Node from a wheel
# (pyproject.toml). Normally `make` does that before CMake runs.
execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/build_page COMMAND_ERROR_IS_FATAL ANY)
