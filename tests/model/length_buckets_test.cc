#include "model/length_buckets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "common/random.h"

namespace slice {
namespace {

using Lengths = std::vector<int64_t>;
using Buckets = std::vector<std::vector<int64_t>>;

int64_t CostOf(const Buckets& buckets, const Lengths& lengths,
               int64_t call_cost) {
  int64_t cost = 0;
  for (const auto& bucket : buckets) {
    int64_t longest = 0;
    for (int64_t row : bucket) longest = std::max(longest, lengths[row]);
    cost += call_cost + static_cast<int64_t>(bucket.size()) * longest;
  }
  return cost;
}

// The least cost, found by trying every way to cut the sorted rows.
int64_t LeastCost(Lengths lengths, int64_t call_cost) {
  std::ranges::sort(lengths);
  int64_t least = std::numeric_limits<int64_t>::max();
  const size_t places = lengths.size() - 1;
  for (uint32_t cuts = 0; cuts < 1u << places; ++cuts) {
    int64_t cost = 0, count = 0;
    for (size_t i = 0; i < lengths.size(); ++i) {
      ++count;
      if (i == places || (cuts >> i & 1) != 0) {
        cost += call_cost + count * lengths[i];
        count = 0;
      }
    }
    least = std::min(least, cost);
  }
  return least;
}

TEST(LengthBucketsTest, NoRowsAreNoCalls) {
  EXPECT_TRUE(LengthBuckets({}, 50).empty());
}

TEST(LengthBucketsTest, RowsOfOneLengthAreOneCall) {
  const Lengths lengths(70, 6);
  const Buckets buckets = LengthBuckets(lengths, 50);
  ASSERT_EQ(buckets.size(), 1);
  EXPECT_EQ(buckets[0].size(), 70);
}

TEST(LengthBucketsTest, ShortRowsGoApartOnceItPays) {
  Lengths lengths(10, 2);
  lengths.push_back(14);
  // A call of their own saves the ten short rows 12 padded tokens each.
  EXPECT_EQ(LengthBuckets(lengths, 119).size(), 2);
  EXPECT_EQ(LengthBuckets(lengths, 121).size(), 1);
}

TEST(LengthBucketsTest, EveryRowIsInOneCallAndNoSplitIsCheaper) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Lengths lengths(1 + random.Below(11));
    for (int64_t& length : lengths) length = random.Below(15);
    const int64_t call_cost = random.Below(30);
    const Buckets buckets = LengthBuckets(lengths, call_cost);
    Lengths rows;
    for (const auto& bucket : buckets) {
      EXPECT_TRUE(std::ranges::is_sorted(
          bucket, {}, [&](int64_t row) { return lengths[row]; }));
      rows.insert(rows.end(), bucket.begin(), bucket.end());
    }
    std::ranges::sort(rows);
    ASSERT_EQ(rows.size(), lengths.size());
    for (size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i], i);
    EXPECT_EQ(CostOf(buckets, lengths, call_cost),
              LeastCost(lengths, call_cost));
  }
}

}  // namespace
}  // namespace slice
