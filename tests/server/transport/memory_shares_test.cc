#include "server/transport/memory_shares.h"

#include <gtest/gtest.h>

#include <vector>

namespace slice {
namespace {

TEST(MemorySharesTest, AHostThatIsAloneGetsHalf) {
  MemoryShares memory(1000);
  std::vector<std::unique_ptr<MemoryShares::Share>> held;
  while (auto share = memory.Take("a", 10)) held.push_back(std::move(share));
  EXPECT_EQ(memory.taken(), 500u);
  EXPECT_NE(memory.Take("b", 200), nullptr);
  held.clear();
  EXPECT_EQ(memory.taken(), 0u);
}

TEST(MemorySharesTest, SharesOfNoBytesEndInAnyOrder) {
  MemoryShares memory(1000);
  auto first = memory.Take("a", 0);
  auto second = memory.Take("a", 0);
  auto third = memory.Take("a", 10);
  first.reset();
  second.reset();
  EXPECT_EQ(memory.taken(), 10u);
  third.reset();
  EXPECT_EQ(memory.taken(), 0u);
}

TEST(MemorySharesTest, AShareGrowsAsFarAsItsHostMay) {
  MemoryShares memory(1000);
  const auto share = memory.Take("a", 100);
  const auto other = memory.Take("a", 200);
  EXPECT_TRUE(share->Resize(300));
  EXPECT_FALSE(share->Resize(301));
  EXPECT_EQ(memory.taken(), 500u);
  EXPECT_TRUE(share->Resize(50));
  EXPECT_EQ(memory.taken(), 250u);
}

// Others may have taken so much that its host has more than it would get.
TEST(MemorySharesTest, AShareMayAlwaysShrink) {
  MemoryShares memory(1000);
  auto share = memory.Take("a", 500);
  const auto other = memory.Take("b", 250);
  EXPECT_TRUE(share->Resize(499));
  EXPECT_FALSE(share->Resize(500));
  share.reset();
  EXPECT_EQ(memory.taken(), 250u);
}

TEST(MemorySharesTest, MoreThanThereIsIsRefused) {
  MemoryShares memory(1000);
  EXPECT_EQ(memory.Take("a", 501), nullptr);
  EXPECT_EQ(memory.Take("a", size_t{1} << 60), nullptr);
  EXPECT_NE(memory.Take("a", 500), nullptr);
}

}  // namespace
}  // namespace slice
