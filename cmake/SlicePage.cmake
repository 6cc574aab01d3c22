# Bundles the page of the server (server/page/) by esbuild, and embeds it:
# SLICE_PAGE_SOURCES are the sources with its files. D3 is that of Debian's
# node-d3. tests/page/types_test.py checks the types.
find_program(SLICE_ESBUILD esbuild REQUIRED)
set(_page "${PROJECT_SOURCE_DIR}/server/page")
set(_made "${PROJECT_BINARY_DIR}/page")
file(GLOB_RECURSE _scripts CONFIGURE_DEPENDS "${_page}/*.ts")
set(_esbuild "${CMAKE_COMMAND}" -E env NODE_PATH=/usr/share/nodejs "${SLICE_ESBUILD}"
  --bundle --minify --target=es2020 --log-level=warning)
add_custom_command(
  OUTPUT "${_made}/page.js"
  COMMAND ${_esbuild} "${_page}/main.ts" "--outfile=${_made}/page.js"
  DEPENDS ${_scripts} VERBATIM)
add_custom_command(
  OUTPUT "${_made}/page.css"
  COMMAND ${_esbuild} "${_page}/page.css" "--outfile=${_made}/page.css"
  DEPENDS "${_page}/page.css" "${PROJECT_SOURCE_DIR}/common/page/page_style.css" VERBATIM)

slice_embed(slice_page_js "${_made}/page.js" "${_made}/page_js.cc")
slice_embed(slice_page_css "${_made}/page.css" "${_made}/page_css.cc")
slice_embed(slice_page_html "${_page}/index.html" "${_made}/page_html.cc")
slice_embed(slice_page_icon "${_page}/icon.svg" "${_made}/page_icon.cc")
set(SLICE_PAGE_SOURCES "${_made}/page_js.cc" "${_made}/page_css.cc" "${_made}/page_html.cc"
  "${_made}/page_icon.cc")
