#include "common/freed_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <memory>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace slice {
namespace {

// Blocks so small that the allocator keeps each when it is freed. Every other
// one stays in use.
std::vector<std::unique_ptr<char[]>> FreeEveryOther(size_t count) {
  std::vector<std::unique_ptr<char[]>> all(count);
  for (auto& one : all) {
    one = std::make_unique<char[]>(16 << 10);
    for (size_t at = 0; at < 16 << 10; at += 1024) one[at] = 1;
  }
  for (size_t i = 0; i + 1 < count; i += 2) all[i].reset();
  return all;
}

TEST(FreedMemoryTest, IsGivenBack) {
  if (ResidentMib() == 0) GTEST_SKIP() << "the kernel does not tell";
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer's allocator gives nothing back";
#endif
  const FreedMemoryReturner returner;
  const auto in_use = FreeEveryOther(size_t{8} << 10);  // 64 MiB of 128
  const double before = ResidentMib();
  const absl::Time deadline = absl::Now() + absl::Minutes(2);
  while (ResidentMib() > before - 32 && absl::Now() < deadline) {
    absl::SleepFor(absl::Milliseconds(100));
  }
  EXPECT_LT(ResidentMib(), before - 32);
}

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
