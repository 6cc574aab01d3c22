#include "common/peak_memory.h"

#include <gtest/gtest.h>

#include <vector>

namespace slice {
namespace {

constexpr size_t kMib = size_t{1} << 20;

// Touches every page, so that the memory is resident.
std::vector<char> Hold(size_t mib) { return std::vector<char>(mib * kMib, 1); }

TEST(PeakMemoryTest, CoversWhatIsHeld) {
  const double before = PeakMemoryMib();
  ASSERT_GT(before, 0);
  const std::vector<char> held = Hold(96);
  EXPECT_GT(PeakMemoryMib(), 96 * static_cast<double>(held[kMib]));
}

TEST(PeakMemoryTest, StaysWhenMemoryIsGivenBack) {
  Hold(96);
  const double peak = PeakMemoryMib();
  Hold(8);
  EXPECT_GE(PeakMemoryMib(), peak);
}

TEST(PeakMemoryTest, StartsAnewAfterAReset) {
  Hold(256);
  const double peak = PeakMemoryMib();
  ResetPeakMemory();
  if (PeakMemoryMib() >= peak) GTEST_SKIP() << "the kernel does not reset it";
  EXPECT_LT(PeakMemoryMib(), peak - 128);
}

}  // namespace
}  // namespace slice
