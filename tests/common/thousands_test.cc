#include "common/thousands.h"

#include "gtest/gtest.h"

namespace slice {
namespace {

TEST(FormatThousandsTest, GroupsDigitsByThree) {
  EXPECT_EQ(FormatThousands(0), "0");
  EXPECT_EQ(FormatThousands(999), "999");
  EXPECT_EQ(FormatThousands(1000), "1,000");
  EXPECT_EQ(FormatThousands(1234567), "1,234,567");
}

}  // namespace
}  // namespace slice
