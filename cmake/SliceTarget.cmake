# Included outside of the functions, because its variables must be known
# wherever tests are discovered.
include(GoogleTest)
include(SlicePrecompiled)

# slice_target(NAME KIND [SRCS ...] [TORCH_SRCS ...] [DEPS ...] [PRIVATE_DEPS ...] [LABELS ...] [HEADERS SET])
#
# KIND is LIBRARY, MODULE (a library that is loaded at run time), BINARY or TEST.
# A test is a GoogleTest program: gtest_main is linked, and every case becomes a
# ctest entry with the given LABELS (default: unit). Sources are listed, never
# globbed.
#
# TORCH_SRCS are the sources that include LibTorch; SRCS do not find LibTorch's
# headers. HEADERS names the set of precompiled headers for SRCS
# (SlicePrecompiled.cmake). The default is the set test for a TEST, and the set
# base otherwise.
function(slice_target name kind)
  cmake_parse_arguments(ARG "" "HEADERS" "SRCS;TORCH_SRCS;DEPS;PRIVATE_DEPS;LABELS" ${ARGN})
  if(kind STREQUAL "LIBRARY")
    add_library(${name} STATIC ${ARG_SRCS})
  elseif(kind STREQUAL "MODULE")
    add_library(${name} MODULE ${ARG_SRCS})
  elseif(kind STREQUAL "BINARY" OR kind STREQUAL "TEST")
    add_executable(${name} ${ARG_SRCS})
  else()
    message(FATAL_ERROR "slice_target(${name}): unknown kind '${kind}'")
  endif()
  # CMake cannot infer the language where all sources are TORCH_SRCS.
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  slice_compile_options(${name})
  target_link_libraries(${name} PUBLIC ${ARG_DEPS} PRIVATE ${ARG_PRIVATE_DEPS})
  if(kind STREQUAL "TEST")
    _slice_register_test(${name} "${ARG_LABELS}")
  endif()
  if(NOT ARG_HEADERS)
    set(ARG_HEADERS base)
    if(kind STREQUAL "TEST")
      set(ARG_HEADERS test)
    endif()
  endif()
  target_precompile_headers(${name} REUSE_FROM slice_headers_${ARG_HEADERS})
  if(ARG_TORCH_SRCS)
    _slice_torch_sources(${name} "${ARG_TORCH_SRCS}")
  endif()
endfunction()

# Compiles the sources with LibTorch's headers, and adds them to the target.
function(_slice_torch_sources name sources)
  add_library(${name}_torch OBJECT ${sources})
  slice_compile_options(${name}_torch)
  target_link_libraries(${name}_torch PRIVATE $<TARGET_PROPERTY:${name},LINK_LIBRARIES> slice::LibTorchHeaders)
  target_compile_definitions(${name}_torch PRIVATE $<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>)
  target_precompile_headers(${name}_torch REUSE_FROM slice_headers_torch)
  target_sources(${name} PRIVATE $<TARGET_OBJECTS:${name}_torch>)
  target_link_libraries(${name} PRIVATE slice::LibTorch)
endfunction()

function(_slice_register_test name labels)
  if(NOT labels)
    set(labels unit)
  endif()
  target_link_libraries(${name} PRIVATE GTest::gmock GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  # NO_PRETTY_VALUES keeps the values of test parameters out of the test names,
  # because some values can only be shown as bytes.
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES
    PROPERTIES LABELS "${labels}" TIMEOUT 1500
    ENVIRONMENT "ASAN_OPTIONS=detect_container_overflow=0")
endfunction()

# slice_vector_tests(NAME [FILTER])
#
# Registers the cases of a TEST target once more for each smaller set of vector
# instructions (common/vector_variants.h). FILTER limits the cases, in the
# syntax of --gtest_filter. Does nothing on processors other than x86-64, which
# have only one set.
function(slice_vector_tests name)
  if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    return()
  endif()
  foreach(capability avx2 default)
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES TEST_SUFFIX "@${capability}"
      TEST_FILTER "${ARGV1}"
      PROPERTIES LABELS unit TIMEOUT 1500
      ENVIRONMENT "ASAN_OPTIONS=detect_container_overflow=0;ATEN_CPU_CAPABILITY=${capability}")
  endforeach()
endfunction()
