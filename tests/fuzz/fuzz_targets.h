// What reads bytes from outside, each as a function of any bytes: none may end
// the process, whatever they are.
#ifndef SLICE_TESTS_FUZZ_FUZZ_TARGETS_H_
#define SLICE_TESTS_FUZZ_FUZZ_TARGETS_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace slice {

struct FuzzTarget {
  std::string name;
  std::vector<std::string> seeds;  // well-formed input, to begin with
  // Reads the bytes; ends the process when what was read breaks a promise.
  std::function<void(std::string_view bytes)> read;
};

const std::vector<FuzzTarget>& FuzzTargets();

// Ends the process unless `holds`, naming what was promised.
void Require(bool holds, const char* what);

}  // namespace slice

#endif  // SLICE_TESTS_FUZZ_FUZZ_TARGETS_H_
