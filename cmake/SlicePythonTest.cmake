# slice_python_test(NAME SCRIPT [ARGS ...] [LABELS ...])
#
# Adds a test written in Python (standard library only). Exit status 77 means
# that the test was skipped; the script says why.
#
# The environment of the test has SLICE_BIN_DIR (the binaries), SLICE_DEPS_DIR,
# SLICE_TOY_DIR, and SLICE_SANITIZE, which is empty without sanitizers. Before
# the first test with the label integration, SLICE_TOY_DIR is filled with a toy
# graph and a bundle trained on it.
find_program(SLICE_PYTHON3 NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(SLICE_PYTHON3 NAMES python3 REQUIRED)

function(slice_python_test name script)
  cmake_parse_arguments(ARG "" "" "ARGS;LABELS" ${ARGN})
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  add_test(NAME ${name} COMMAND "${SLICE_PYTHON3}" -B "${CMAKE_CURRENT_SOURCE_DIR}/${script}" ${ARG_ARGS})
  set_tests_properties(${name} PROPERTIES
    LABELS "${ARG_LABELS}" TIMEOUT 1500 SKIP_RETURN_CODE 77
    ENVIRONMENT "SLICE_BIN_DIR=${CMAKE_RUNTIME_OUTPUT_DIRECTORY};SLICE_DEPS_DIR=${SLICE_DEPS_DIR};SLICE_TOY_DIR=${PROJECT_BINARY_DIR}/tests/toy;SLICE_SANITIZE=${SLICE_SANITIZE}")
  if("integration" IN_LIST ARG_LABELS)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED toy_bundle)
  endif()
endfunction()
