#include "graphstore/gram_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "common/random.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

GramIndex IndexOf(const std::multimap<uint32_t, std::string>& texts) {
  return GramIndex([&](const auto& add) {
    for (const auto& [number, text] : texts) add(number, text);
  });
}

std::vector<uint32_t> Numbers(const GramIndex& index, const char* gram) {
  std::vector<uint32_t> numbers;
  index.ForEach(static_cast<Gram>(gram[0] << 8 | gram[1]),
                [&](uint32_t number) {
                  numbers.push_back(number);
                  return true;
                });
  return numbers;
}

TEST(GramIndexTest, ListsEachTextOnce) {
  const GramIndex index =
      IndexOf({{0, "abab"}, {3, "ba"}, {3, "ab"}, {70000, "xab"}, {9, "a"}});
  EXPECT_THAT(Numbers(index, "ab"), ElementsAre(0, 3, 70000));
  EXPECT_THAT(Numbers(index, "ba"), ElementsAre(0, 3));
  EXPECT_THAT(Numbers(index, "zz"), IsEmpty());
}

TEST(GramIndexTest, IsWhatAMapOfSetsIs) {
  Random random(2);
  std::multimap<uint32_t, std::string> texts;
  std::map<std::string, std::set<uint32_t>> expected;
  for (int i = 0; i < 3000; ++i) {
    const uint32_t number = random.Below(1 << (1 + random.Below(22)));
    std::string text;
    for (uint32_t n = random.Below(12); n > 0; --n) {
      text += "abc\xff"[random.Below(4)];
    }
    texts.emplace(number, text);
    for (size_t at = 0; at + 1 < text.size(); ++at) {
      expected[text.substr(at, 2)].insert(number);
    }
  }
  const GramIndex index = IndexOf(texts);
  for (const auto& [gram, numbers] : expected) {
    std::set<uint32_t> found;
    index.ForEach(static_cast<Gram>(static_cast<unsigned char>(gram[0]) << 8 |
                                    static_cast<unsigned char>(gram[1])),
                  [&](uint32_t number) {
                    EXPECT_TRUE(found.insert(number).second);
                    return true;
                  });
    EXPECT_EQ(found, numbers) << gram;
  }
}

TEST(GramIndexTest, RareGramsComeFirst) {
  std::multimap<uint32_t, std::string> texts;
  for (uint32_t i = 0; i < 500; ++i) texts.emplace(i, "common");
  texts.emplace(500, "rare-common");
  const GramIndex index = IndexOf(texts);
  const auto grams = RareGrams(index, "rare-common", 1);
  ASSERT_THAT(grams, SizeIs(3));
  EXPECT_LE(index.bytes(grams[0]), index.bytes(grams[1]));
  EXPECT_LE(index.bytes(grams[1]), index.bytes(grams[2]));
  EXPECT_EQ(index.bytes(grams[0]), 2);
  EXPECT_THAT(RareGrams(index, "c", 0), IsEmpty());
  EXPECT_THAT(RareGrams(index, "co", 0), SizeIs(1));
  EXPECT_THAT(RareGrams(index, "com", 1), SizeIs(2));
}

TEST(GramIndexTest, OfNothingIsEmpty) {
  const GramIndex index = IndexOf({});
  EXPECT_THAT(Numbers(index, "ab"), IsEmpty());
  EXPECT_THAT(RareGrams(index, "abc", 1), SizeIs(2));
}

}  // namespace
}  // namespace slice
