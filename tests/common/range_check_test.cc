#include "common/range_check.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slice {
namespace {

TEST(CheckRangesTest, IncludesTheEndsOfARange) {
  const RangedNumber folds[] = {{"folds", 2, 2, 100}, {"folds", 100, 2, 100}};
  EXPECT_TRUE(CheckRanges("--", folds).ok());
}

TEST(CheckRangesTest, NamesTheFirstNumberOutsideOfItsRange) {
  const RangedNumber numbers[] = {
      {"layers", 2, 0, 8}, {"dropout", 0.95, 0, 0.9}, {"heads", 0, 1, 64}};
  EXPECT_EQ(CheckRanges("network ", numbers),
            absl::InvalidArgumentError(
                "network dropout is 0.95; it must be from 0 to 0.9"));
}

TEST(CheckRangesTest, RefusesNan) {
  const RangedNumber numbers[] = {{"p", std::nan(""), 0, 1}};
  EXPECT_FALSE(CheckRanges("", numbers).ok());
}

}  // namespace
}  // namespace slice
