# slice_header_set(NAME [DEPS ...])
#
# Precompiles cmake/precompiled/<NAME>.h as the header set NAME. Its headers are
# parsed once for all targets that name the set (HEADERS of slice_target).
#
# GCC takes precompiled headers only under the options that they were parsed
# with. So a source with options of its own has SKIP_PRECOMPILE_HEADERS.
#
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds without header sets, which works
# because every source includes the headers that it uses.
function(slice_header_set set)
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  add_library(slice_headers_${set} OBJECT "${PROJECT_SOURCE_DIR}/cmake/precompiled/no_source.cc")
  slice_compile_options(slice_headers_${set})
  target_link_libraries(slice_headers_${set} PRIVATE ${ARG_DEPS})
  target_precompile_headers(slice_headers_${set} PRIVATE "<cmake/precompiled/${set}.h>")
endfunction()

# slice_compile_options(NAME) sets the compiler options that all targets share.
function(slice_compile_options name)
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
  # Libraries and programs are all compiled with -fPIC -pthread (below), because
  # they share header sets.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC -pthread
    -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # -fno-pch-timestamp, because ccache cannot compare the times of headers.
    target_compile_options(${name} PRIVATE -Wthread-safety -Werror=thread-safety "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  if(SLICE_SANITIZE)
    target_compile_options(${name} PUBLIC "-fsanitize=${SLICE_SANITIZE}" -fno-omit-frame-pointer)
    target_link_options(${name} PUBLIC "-fsanitize=${SLICE_SANITIZE}")
  endif()
endfunction()
