# At this level: its variables must be known wherever tests are discovered.
include(GoogleTest)

# slice_target(NAME KIND [SRCS ...] [DEPS ...] [PRIVATE_DEPS ...] [LABELS ...])
#
# KIND is LIBRARY, BINARY or TEST. A test is a GoogleTest program: gtest_main is linked and every case
# becomes a ctest entry with the labels given (default: unit). Sources are listed, never globbed.
function(slice_target name kind)
  cmake_parse_arguments(ARG "" "" "SRCS;DEPS;PRIVATE_DEPS;LABELS" ${ARGN})
  if(kind STREQUAL "LIBRARY")
    add_library(${name} STATIC ${ARG_SRCS})
  elseif(kind STREQUAL "BINARY" OR kind STREQUAL "TEST")
    add_executable(${name} ${ARG_SRCS})
  else()
    message(FATAL_ERROR "slice_target(${name}): unknown kind '${kind}'")
  endif()
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${name} PRIVATE -Wthread-safety -Werror=thread-safety)
  endif()
  if(SLICE_SANITIZE)
    target_compile_options(${name} PUBLIC "-fsanitize=${SLICE_SANITIZE}" -fno-omit-frame-pointer)
    target_link_options(${name} PUBLIC "-fsanitize=${SLICE_SANITIZE}")
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_DEPS} PRIVATE ${ARG_PRIVATE_DEPS})
  if(kind STREQUAL "TEST")
    _slice_register_test(${name} "${ARG_LABELS}")
  endif()
endfunction()

function(_slice_register_test name labels)
  if(NOT labels)
    set(labels unit)
  endif()
  target_link_libraries(${name} PRIVATE GTest::gmock GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  # Values of parameters are not in names: some have no text but their bytes.
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES
    PROPERTIES LABELS "${labels}" TIMEOUT 1500
    ENVIRONMENT "ASAN_OPTIONS=detect_container_overflow=0")
endfunction()

# slice_vector_tests(NAME [FILTER]): registers the cases of a TEST target, or those that a filter of GoogleTest
# names, once more for each smaller set of vector instructions (common/vector_variants.h). Only x86-64 has several.
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
