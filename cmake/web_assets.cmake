# Embeds web/dist (made by `npm run build` in web/) into the program: tools/embed_web compresses each
# file and writes one source file that includes the bytes. Without web/dist, it embeds a one-line page
# that says how to build it. The interface is src/server/web_assets.h.
file(GLOB_RECURSE web_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/dist/*)
set(web_source ${PROJECT_BINARY_DIR}/web_assets/web_assets.cc)
add_custom_command(
  OUTPUT ${web_source}
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/embed_web ${PROJECT_SOURCE_DIR}/web/dist ${web_source}
  DEPENDS ${web_files} ${PROJECT_SOURCE_DIR}/tools/embed_web
  COMMENT "Embedding the web page")
add_library(sightline_web_assets STATIC ${web_source})
target_link_libraries(sightline_web_assets PUBLIC sightline_compiler)
target_compile_options(sightline_web_assets PRIVATE -fno-lto)  # the bytes are defined in assembly, which link-time optimisation does not see
