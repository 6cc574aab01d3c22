#include "common/page/svg_heat_map.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

TEST(HeatMapTest, CellsAreShadedByTheirShareOfTheLargest) {
  const std::vector<std::string> names = {"a", "b"};
  const std::vector<float> values = {0.0f, 0.2f, 0.1f, 0.4f};
  const std::string map = HeatMap("Layer 1", names, values);
  EXPECT_THAT(map, HasSubstr("fill-opacity=\"1.000\"><title>b receives 0.400 "
                             "from b</title>"));
  EXPECT_THAT(map, HasSubstr("fill-opacity=\"0.500\"><title>a receives 0.200 "
                             "from b</title>"));
}

TEST(HeatMapTest, ASmallMatrixShowsItsValuesAndAllHaveAScale) {
  const std::vector<std::string> names = {"a", "b"};
  const std::vector<float> values = {0.0f, 0.2f, 0.1f, 0.4f};
  const std::string map = HeatMap("Layer 1", names, values);
  EXPECT_THAT(map, HasSubstr(">0.20</text>"));
  EXPECT_THAT(map, HasSubstr("text-anchor=\"end\">0.40</text>"));
  const std::vector<std::string> many(40, "n");
  const std::vector<float> same(1600, 0.025f);
  const std::string large = HeatMap("Layer 1", many, same);
  EXPECT_EQ(large.find("cell-value"), std::string::npos);
  EXPECT_THAT(large, HasSubstr("text-anchor=\"end\">0.03</text>"));
}

TEST(HeatMapTest, AMatrixOfAnotherSizeIsNotDrawn) {
  const std::vector<std::string> names = {"a", "b"};
  const std::vector<float> values = {1, 2, 3};
  EXPECT_EQ(HeatMap("Layer 1", names, values), "");
}

}  // namespace
}  // namespace slice
