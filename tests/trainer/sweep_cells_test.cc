#include "trainer/sweep_cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace slice {
namespace {

using ::testing::ElementsAre;

TEST(SweepAxisTest, IsAFlagAndItsValues) {
  const auto axis = ParseSweepAxis("learning_rate=1e-3,5e-4");
  ASSERT_TRUE(axis.ok()) << axis.status();
  EXPECT_EQ(axis->flag, "learning_rate");
  EXPECT_THAT(axis->values, ElementsAre("1e-3", "5e-4"));
  for (const char* wrong : {"", "layers", "layers=", "=1,2", "layers=,"}) {
    EXPECT_EQ(ParseSweepAxis(wrong).status().code(),
              absl::StatusCode::kInvalidArgument)
        << wrong;
  }
}

std::vector<std::string> Names(const std::vector<SweepCell>& cells) {
  std::vector<std::string> names;
  for (const SweepCell& cell : cells) names.push_back(SweepCellName(cell));
  return names;
}

TEST(SweepCellsTest, AreAllCombinations) {
  EXPECT_THAT(Names(MakeSweepCells({{"a", {"1", "2"}}, {"b", {"x", "y"}}},
                                   /*one_at_a_time=*/false)),
              ElementsAre("a=1,b=x", "a=1,b=y", "a=2,b=x", "a=2,b=y"));
}

TEST(SweepCellsTest, OneAtATimeLeavesTheOthersAtTheirFirst) {
  EXPECT_THAT(
      Names(MakeSweepCells(
          {{"a", {"1", "2"}}, {"b", {"x", "y"}}, {"c", {"7", "8"}}},
          /*one_at_a_time=*/true)),
      ElementsAre("a=1,b=x,c=7", "a=1,b=x,c=8", "a=1,b=y,c=7", "a=2,b=x,c=7"));
}

TEST(SweepCellsTest, EqualCellsRunOnce) {
  EXPECT_THAT(Names(MakeSweepCells({{"a", {"1", "1"}}}, false)),
              ElementsAre("a=1"));
}

TEST(SweepCellsTest, NamesAreFitForADirectory) {
  EXPECT_EQ(SweepCellName({{"embeddings", "x/y.npy"}}), "embeddings=x_y.npy");
}

}  // namespace
}  // namespace slice
