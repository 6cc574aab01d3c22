#include "common/freed_memory.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace slice
