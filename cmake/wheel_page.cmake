# Builds the page when a wheel is built from a tree that has none yet, or an old one: Node comes from a wheel as well
# (pyproject.toml). Ordinarily `make` does that before CMake runs.
execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/build_page COMMAND_ERROR_IS_FATAL ANY)
