#include "common/random.h"

#include <map>
#include <vector>

#include "common/sample_to_front.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

// The reference implementation's first outputs for state 0 (Vigna,
// splitmix64.c).
TEST(RandomTest, MixBitsIsSplitMix64) {
  EXPECT_EQ(MixBits(0), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(MixBits(0x9e3779b97f4a7c15ULL), 0x6e789e6aa1b965f4ULL);
}

// XXH3_64bits of the empty input, from the reference implementation.
TEST(RandomTest, HashBytesIsXxh3) {
  EXPECT_EQ(HashBytes(""), 0x2d06800538d394c2ULL);
  EXPECT_NE(HashBytes("a"), HashBytes("b"));
}

TEST(RandomTest, CombinedHashDependsOnTheOrder) {
  EXPECT_NE(CombineHash(CombineHash(0, 1), 2),
            CombineHash(CombineHash(0, 2), 1));
}

TEST(RandomTest, SameSeedSameNumbers) {
  Random a(7), b(7), c(8);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const uint64_t value = a();
    EXPECT_EQ(value, b());
    differs |= value != c();
  }
  EXPECT_TRUE(differs);
}

TEST(RandomTest, BelowCoversItsRangeEvenly) {
  Random random(1);
  std::vector<int> counts(7, 0);
  constexpr int kDraws = 70'000;
  for (int i = 0; i < kDraws; ++i) ++counts.at(random.Below(7));
  for (const int count : counts) EXPECT_NEAR(count, kDraws / 7, 500);
}

TEST(RandomTest, UniformStaysInTheUnitInterval) {
  Random random(2);
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double value = random.Uniform();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    sum += value;
  }
  EXPECT_NEAR(sum / 10'000, 0.5, 0.02);
}

// Each of the 12 ordered samples of two out of four is as frequent as the rest.
TEST(RandomTest, ASampleIsUniformAndKeepsTheItems) {
  Random random(3);
  std::map<std::vector<int>, int> counts;
  for (int i = 0; i < 12000; ++i) {
    std::vector<int> items = {1, 2, 3, 4};
    SampleToFront(std::span(items), 2, random);
    EXPECT_EQ(items[0] + items[1] + items[2] + items[3], 10);
    ++counts[{items[0], items[1]}];
  }
  EXPECT_EQ(counts.size(), 12u);
  for (const auto& [sample, count] : counts) EXPECT_NEAR(count, 1000, 150);
}

}  // namespace
}  // namespace slice
