#include "common/near_miss.h"

#include <algorithm>
#include <string>
#include <vector>

#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Lt;
using ::testing::Optional;

TEST(NearMissCostTest, CountsEditsAndSwaps) {
  EXPECT_EQ(NearMissCost("curl", "curl"), 0);
  EXPECT_EQ(NearMissCost("crul", "curl"), NearMissCost("cull", "curl"));
  EXPECT_THAT(NearMissCost("curl", "crl"), Optional(Lt(20)));
}

TEST(NearMissCostTest, OneEditIsNearerThanAStart) {
  EXPECT_LT(*NearMissCost("libcurl", "libcurl4"),
            *NearMissCost("libcurl", "libcurl4-gnutls-dev"));
  EXPECT_LT(*NearMissCost("curl", "curl-dev"),
            *NearMissCost("curl", "libcurl-dev"));
}

TEST(NearMissCostTest, ShortTextsHaveNoEdits) {
  EXPECT_EQ(NearMissCost("ab", "xb"), std::nullopt);
  EXPECT_EQ(NearMissCost("", "a"), std::nullopt);
  EXPECT_EQ(NearMissCost("a", ""), std::nullopt);
}

TEST(NearMissCostTest, FarTextsHaveNoCost) {
  EXPECT_EQ(NearMissCost("firefox", "curl"), std::nullopt);
  EXPECT_EQ(NearMissCost("firefox", "fi"), std::nullopt);
}

TEST(NearMissCostTest, SharedStartIsTheLastResort) {
  EXPECT_THAT(
      NearMissCost("scaling it-system", "scaling ir-system evaluation"),
      Optional(testing::Gt(*NearMissCost("ir-system", "scaling ir-system"))));
}

TEST(NearMissSearchTest, KeepsTheNearestOnce) {
  NearMissSearch search("curl", 2);
  for (const std::string text : {"libcurl", "curl-x", "cur1", "cur1", "wget"})
    search.Offer(text, text);
  EXPECT_THAT(search.Best(), ElementsAre("cur1", "curl-x"));
}

TEST(NearMissSearchTest, NothingOfNothing) {
  NearMissSearch search("curl", 0);
  search.Offer("curl", "curl");
  EXPECT_THAT(search.Best(), IsEmpty());
  EXPECT_FALSE(search.MayMatch(TextSignature()));
}

// The distance of optimal string alignment, computed over the whole matrix.
int PlainEditDistance(const std::string& a, const std::string& b) {
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = static_cast<int>(i + j);
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1,
                          d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

TEST(NearMissCostTest, EditsAreThoseOfTheWholeMatrix) {
  Random random(8);
  const int one_edit = *NearMissCost("abc", "abd");
  std::vector<int> seen(4, 0);
  for (int i = 0; i < 50'000; ++i) {
    std::string a(3 + random.Below(9), 'a');
    for (char& c : a) c = "abc"[random.Below(3)];
    std::string b = a;
    for (uint32_t edits = random.Below(5); edits > 0; --edits) {
      const size_t at = random.Below(static_cast<uint32_t>(b.size()));
      if (random.Below(3) == 0) b.insert(at, 1, 'c');
      if (random.Below(3) == 0) b[at] = "abc"[random.Below(3)];
      if (random.Below(3) == 0 && b.size() > 3) b.erase(at, 1);
    }
    const int edits = PlainEditDistance(a, b);
    const int most = static_cast<int>(std::min<size_t>(a.size() / 3, 3));
    const auto cost = NearMissCost(a, b);
    if (edits > most) {
      EXPECT_GT(cost.value_or(kAnyCost), one_edit) << a << " " << b;
      continue;
    }
    ++seen[edits];
    ASSERT_EQ(cost, edits * one_edit) << a << " " << b;
  }
  for (const int count : seen) EXPECT_GT(count, 100);
}

// The signature never turns away a candidate that the full comparison accepts
// for its edits, for a text that starts with the other, or for containment.
TEST(NearMissSearchTest, SignatureLosesNoCandidate) {
  Random random(4);
  const auto draw = [&](size_t most) {
    std::string text;
    const size_t length = 1 + random.Below(static_cast<uint32_t>(most));
    for (size_t i = 0; i < length; ++i)
      text.push_back("abcdpq0124-"[random.Below(11)]);
    return text;
  };
  const int shared_start = *NearMissCost("abcdefgh", "abcdxxxxxxxx");
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = draw(9);
    std::string candidate = random.Below(2) == 0 ? draw(14) : text;
    candidate[random.Below(static_cast<uint32_t>(candidate.size()))] = 'z';
    if (random.Below(3) == 0) candidate = draw(4) + text + draw(4);
    const auto cost = NearMissCost(text, candidate);
    if (!cost.has_value() || *cost >= shared_start - 4) continue;
    ++accepted;
    EXPECT_TRUE(NearMissSearch(text, 1).MayMatch(TextSignature(candidate)))
        << text << " " << candidate;
  }
  EXPECT_GT(accepted, 1000);
}

}  // namespace
}  // namespace slice
