#include "common/available_memory.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slice {
namespace {

TEST(AvailableMemory, ReadsTheNumberAfterAField) {
  constexpr char kText[] =
      "MemTotal:       2048 kB\nMemAvailable:   1536 kB\nBuffers: 1 kB\n";
  EXPECT_EQ(NumberAfter("MemAvailable:", kText), 1536);
  EXPECT_EQ(NumberAfter("anon ", "anon 4096\nfile 7\n"), 4096);
}

TEST(AvailableMemory, IsInfiniteWhenNothingTells) {
  EXPECT_TRUE(std::isinf(NumberAfter("MemAvailable:", "MemTotal: 1 kB\n")));
  EXPECT_TRUE(std::isinf(NumberAfter("MemAvailable:", "MemAvailable: -\n")));
}

TEST(AvailableMemory, OfThisMachineIsAboveZero) {
  EXPECT_GT(AvailableMemoryMib(), 1);
}

}  // namespace
}  // namespace slice
