# Arrow C++ as `sightline::arrow` and `sightline::parquet`: the system's when CMake finds one, else the headers and shared
# libraries of the pinned pyarrow wheel: the one beside the Python that builds our own wheel (pyproject.toml), else the one in
# .venv (tools/requirements.txt). Its libraries carry no unversioned names, hence the glob. `sightline_install(program)`
# installs a program together with them and with DuckDB's (cmake/duckdb.cmake), so that it runs from the build tree and from
# where it was installed.
find_package(Arrow CONFIG QUIET)
find_package(Parquet CONFIG QUIET)

set(arrow_libraries "")
if(TARGET Arrow::arrow_shared AND TARGET Parquet::parquet_shared)
  add_library(sightline::arrow ALIAS Arrow::arrow_shared)
  add_library(sightline::parquet ALIAS Parquet::parquet_shared)
else()
  file(GLOB wheel ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/pyarrow)
  if(SKBUILD)
    execute_process(COMMAND ${Python3_EXECUTABLE} -c "import pathlib, pyarrow; print(pathlib.Path(pyarrow.__file__).parent)"
      OUTPUT_VARIABLE wheel OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  endif()
  if(NOT wheel)
    message(FATAL_ERROR "Arrow C++ not found: no system package and no pyarrow wheel in .venv. Run: tools/install")
  endif()
  foreach(name arrow parquet)
    file(GLOB library ${wheel}/lib${name}.so.*)
    list(APPEND arrow_libraries ${library})
    add_library(sightline_${name} SHARED IMPORTED)
    add_library(sightline::${name} ALIAS sightline_${name})
    set_target_properties(sightline_${name} PROPERTIES
      IMPORTED_LOCATION ${library} INTERFACE_INCLUDE_DIRECTORIES ${wheel}/include)
  endforeach()
  target_link_libraries(sightline_parquet INTERFACE sightline_arrow)
  # The wheel's libparquet exports the OpenSSL that it was linked with (for encrypted files, which we do not read).
  # The system's OpenSSL is first on the link line and so in symbol lookup; else its libssl would call that copy and crash.
  find_package(OpenSSL REQUIRED)
  if(SIGHTLINE_PORTABLE)  # all of the static library, so that the linker takes nothing from libparquet; it then drops what is unused
    set(keep --whole-archive)
  else()
    set(keep --no-as-needed)
  endif()
  target_link_options(sightline_parquet INTERFACE
    "SHELL:-Wl,--push-state,${keep} ${OPENSSL_SSL_LIBRARY} ${OPENSSL_CRYPTO_LIBRARY} -Wl,--pop-state")
endif()

function(sightline_install program)
  include(GNUInstallDirs)
  set(library_dir ${CMAKE_INSTALL_LIBDIR}/sightline)
  set(libraries ${arrow_libraries} ${duckdb_library} ${portable_libraries})
  if(libraries)
    file(RELATIVE_PATH up /${CMAKE_INSTALL_BINDIR} /${library_dir})
    set_target_properties(${program} PROPERTIES INSTALL_RPATH "$ORIGIN/${up}")
    install(FILES ${libraries} DESTINATION ${library_dir})
    foreach(library ${libraries})  # CMake strips only what it built
      get_filename_component(name ${library} NAME)
      install(CODE "if(CMAKE_INSTALL_DO_STRIP)
        execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-unneeded \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${library_dir}/${name}\")
      endif()")
    endforeach()
  endif()
  install(TARGETS ${program} DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
