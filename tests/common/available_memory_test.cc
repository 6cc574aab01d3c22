#include "common/available_memory.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slice {
namespace {

TEST(AvailableMemory, ReadsTheFieldOfMeminfo) {
  EXPECT_EQ(MemAvailableMib("MemTotal:       2048 kB\n"
                            "MemAvailable:   1536 kB\nBuffers: 1 kB\n"),
            1.5);
}

TEST(AvailableMemory, IsInfiniteWhenNothingTells) {
  EXPECT_TRUE(std::isinf(MemAvailableMib("MemTotal: 2048 kB\n")));
  EXPECT_TRUE(std::isinf(MemAvailableMib("MemAvailable: much kB\n")));
}

TEST(AvailableMemory, OfThisMachineIsAbovePossibleZero) {
  EXPECT_GT(AvailableMemoryMib(), 1);
}

}  // namespace
}  // namespace slice
