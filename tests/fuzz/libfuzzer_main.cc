// slice-fuzz: libFuzzer on one of the targets.
//
// usage: SLICE_FUZZ_TARGET=NAME slice-fuzz [libFuzzer's options] [CORPUS]
//        SLICE_FUZZ_SEEDS=DIR slice-fuzz -runs=0     writes the seeds there
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "tests/fuzz/fuzz_targets.h"

namespace {

const slice::FuzzTarget* target = nullptr;

void WriteSeeds(const std::filesystem::path& directory) {
  for (const slice::FuzzTarget& each : slice::FuzzTargets()) {
    std::filesystem::create_directories(directory / each.name);
    for (size_t i = 0; i < each.seeds.size(); ++i) {
      std::ofstream(directory / each.name / std::to_string(i)) << each.seeds[i];
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  if (const char* directory = std::getenv("SLICE_FUZZ_SEEDS")) {
    WriteSeeds(directory);
    std::exit(0);
  }
  const char* name = std::getenv("SLICE_FUZZ_TARGET");
  for (const slice::FuzzTarget& each : slice::FuzzTargets()) {
    if (name != nullptr && each.name == name) target = &each;
  }
  if (target != nullptr) return 0;
  std::cerr << "slice-fuzz: SLICE_FUZZ_TARGET must be one of:";
  for (const slice::FuzzTarget& each : slice::FuzzTargets()) {
    std::cerr << " " << each.name;
  }
  std::cerr << std::endl;
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  target->read({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
