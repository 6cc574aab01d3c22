// Well-formed input with some bytes changed, many times over, with a fixed
// seed. libFuzzer looks further (slice-fuzz).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "common/random.h"
#include "tests/fuzz/fuzz_targets.h"

namespace slice {
namespace {

constexpr int kRuns = 2000;  // of each target

// Bytes that stand for something in one of the formats.
constexpr char kBytes[] = "\0\t\n\r \"#'(),-.0123456789:[]e{}\x7f\x80\xc3\xff";

void Mutate(Random& random, std::string& bytes) {
  const auto place = [&] {
    return random.Below(static_cast<uint32_t>(bytes.size()) + 1);
  };
  const char byte = kBytes[random.Below(sizeof(kBytes) - 1)];
  const size_t at = place();
  switch (random.Below(6)) {
    case 0:
      bytes.insert(at, 1, byte);
      break;
    case 1:
      if (at < bytes.size()) bytes[at] = byte;
      break;
    case 2:
      bytes.erase(std::min(at, bytes.size()), random.Below(8));
      break;
    case 3:
      bytes.resize(at);
      break;
    case 4:
      bytes.insert(at, bytes.substr(place(), random.Below(64)));
      break;
    default:
      if (at < bytes.size()) {
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.Below(8)));
      }
  }
}

class FuzzTest : public ::testing::TestWithParam<size_t> {};

TEST_P(FuzzTest, NoBytesEndTheProcess) {
  const FuzzTarget& target = FuzzTargets()[GetParam()];
  Random random(17);
  for (const std::string& seed : target.seeds) target.read(seed);
  for (int run = 0; run < kRuns; ++run) {
    std::string bytes =
        target.seeds[random.Below(static_cast<uint32_t>(target.seeds.size()))];
    for (uint32_t changes = 1 + random.Below(6); changes > 0; --changes) {
      Mutate(random, bytes);
    }
    target.read(bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(All, FuzzTest,
                         ::testing::Range<size_t>(0, FuzzTargets().size()),
                         [](const auto& each) {
                           return FuzzTargets()[each.param].name;
                         });

}  // namespace
}  // namespace slice
