// The readers of changes of a graph.
#ifndef SLICE_TESTS_FUZZ_CHANGE_TARGETS_H_
#define SLICE_TESTS_FUZZ_CHANGE_TARGETS_H_

#include <vector>

#include "tests/fuzz/fuzz_targets.h"

namespace slice {

// Records of the log, requests and files of changes.
std::vector<FuzzTarget> ChangeTargets();

}  // namespace slice

#endif  // SLICE_TESTS_FUZZ_CHANGE_TARGETS_H_
