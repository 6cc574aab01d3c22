// FreedMemoryKeeper is of the C library's allocator. These tests are apart from
// those of freed_memory_test.cc, which run with jemalloc too.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <vector>

#include "common/freed_memory.h"

namespace slice {
namespace {

// The pages that the process got until now.
long PageFaults() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_minflt;
}

// Pages of seven blocks of 8 MiB that are allocated, written and freed ten
// times. Their size is within the bound that some C libraries have.
long FaultsOfTenRounds() {
  const long before = PageFaults();
  for (int i = 0; i < 10; ++i) {
    // vector writes every byte. One block is copied to the six others.
    const std::vector<std::vector<char>> blocks(
        6, std::vector<char>(size_t{8} << 20, static_cast<char>(i)));
    EXPECT_EQ(blocks.back().back(), static_cast<char>(i));
  }
  return PageFaults() - before;
}

TEST(FreedMemoryKeeperTest, LargeBlocksGetTheirPagesOnce) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    !defined(__GLIBC__)
  GTEST_SKIP() << "it is the C library that keeps memory";
#endif
  const long without = FaultsOfTenRounds();
  long with = 0;
  {
    const FreedMemoryKeeper keeper;
    with = FaultsOfTenRounds();
  }
  EXPECT_LT(with, without / 4);
}

}  // namespace
}  // namespace slice
