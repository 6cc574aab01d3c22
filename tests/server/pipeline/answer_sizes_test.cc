#include "server/pipeline/answer_sizes.h"

#include <gtest/gtest.h>

#include "server/limits.h"

namespace slice {
namespace {

constexpr auto kNone = v1::EXPLANATION_LEVEL_NONE;
constexpr auto kFull = v1::EXPLANATION_LEVEL_FULL;

TEST(AnswerSizesTest, LearnTheMeanOfEachLevel) {
  AnswerSizes sizes;
  const size_t none = sizes.Expected(kNone, 10);
  EXPECT_EQ(sizes.Expected(v1::EXPLANATION_LEVEL_UNSPECIFIED, 10), none);
  EXPECT_GT(sizes.Expected(kFull, 10), none);
  for (int i = 0; i < 200; ++i) sizes.Learn(kFull, 4, 4 * 10'000);
  EXPECT_NEAR(static_cast<double>(sizes.Expected(kFull, 10)), 100'000, 1000);
  EXPECT_EQ(sizes.Expected(kNone, 10), none);
}

TEST(AnswerSizesTest, AreNoMoreThanAnAnswerMayHave) {
  AnswerSizes sizes;
  for (int i = 0; i < 200; ++i) sizes.Learn(kFull, 1, 1 << 20);
  EXPECT_EQ(sizes.Expected(kFull, kMaxLinksPerRequest), kMaxSendBytes);
}

TEST(AnswerSizesTest, AnswersWithoutAScoreSayNothing) {
  AnswerSizes sizes;
  const size_t before = sizes.Expected(kFull, 10);
  sizes.Learn(kFull, 0, 5000);
  sizes.Learn(kFull, 10, 0);
  EXPECT_EQ(sizes.Expected(kFull, 10), before);
}

}  // namespace
}  // namespace slice
