// Linked like slice-server, with jemalloc and its options.
// freed_memory_test.cc runs here again.
#include <gtest/gtest.h>
#include <jemalloc/jemalloc.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "common/freed_memory.h"

namespace slice {
namespace {

template <typename T>
T Read(const char* name) {
  T value{};
  size_t size = sizeof(value);
  EXPECT_EQ(mallctl(name, &value, &size, nullptr, 0), 0) << name;
  return value;
}

// In the caches of all threads.
size_t CachedBytes() {
  uint64_t epoch = 1;
  EXPECT_EQ(mallctl("epoch", nullptr, nullptr, &epoch, sizeof(epoch)), 0);
  return Read<size_t>("stats.arenas.4096.tcache_bytes");
}

TEST(MemoryAllocatorTest, HasTheOptionsOfTheServer) {
  EXPECT_TRUE(Read<bool>("opt.background_thread"));
  EXPECT_EQ(Read<ptrdiff_t>("opt.dirty_decay_ms"), 5000);
  EXPECT_EQ(Read<ptrdiff_t>("opt.muzzy_decay_ms"), 0);
}

TEST(MemoryAllocatorTest, AllocatesWhatTheProgramAsksFor) {
  const auto before = Read<uint64_t>("thread.allocated");
  const auto block = std::make_unique<char[]>(size_t{1} << 20);
  EXPECT_NE(block, nullptr);
  EXPECT_GE(Read<uint64_t>("thread.allocated") - before, uint64_t{1} << 20);
}

TEST(MemoryAllocatorTest, AThreadCanEmptyItsCache) {
  std::thread([] {
    std::vector<std::unique_ptr<char[]>> blocks(100);
    for (auto& block : blocks) block = std::make_unique<char[]>(1024);
    blocks.clear();
    const size_t before = CachedBytes();
    EmptyThreadCache();
    EXPECT_LT(CachedBytes() + 10 * 1024, before);
  }).join();
}

}  // namespace
}  // namespace slice
