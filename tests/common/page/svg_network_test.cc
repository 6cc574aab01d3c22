#include "common/page/svg_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// left - between - right, with a second link beside the first.
Network SmallNetwork() {
  return {{{"left", "a"}, {"right", "b"}, {"between", "b"}},
          {{0, 2, "likes", 0.5}, {1, 2, "has", 1}, {0, 2, "owns", 0.25}}};
}

// The centres of the circles, in the order of the nodes.
std::vector<double> Columns(const std::string& drawing) {
  std::vector<double> columns;
  const std::regex circle("<circle[^>]* cx=\"([0-9.]+)\"");
  for (std::sregex_iterator at(drawing.begin(), drawing.end(), circle), end;
       at != end; ++at) {
    columns.push_back(std::stod((*at)[1]));
  }
  return columns;
}

TEST(NetworkDrawingTest, EndsAreLeftAndRightAndTheRestStandsBetween) {
  const std::vector<double> columns =
      Columns(NetworkDrawing("T", SmallNetwork()));
  ASSERT_EQ(columns.size(), 3u);
  EXPECT_LT(columns[0], columns[2]);
  EXPECT_LT(columns[2], columns[1]);
}

TEST(NetworkDrawingTest, NodesFurtherAwayStandFurtherRight) {
  const Network chain = {{{"s", ""}, {"t", ""}, {"second", ""}, {"first", ""}},
                         {{0, 3, "r", 1}, {3, 2, "r", 1}, {2, 1, "r", 1}}};
  const std::vector<double> columns = Columns(NetworkDrawing("T", chain));
  ASSERT_EQ(columns.size(), 4u);
  EXPECT_LT(columns[3], columns[2]);
  EXPECT_LT(columns[2], columns[1]);
}

TEST(NetworkDrawingTest, ANodeThatNothingReachesIsStillDrawn) {
  const Network apart = {{{"s", ""}, {"t", ""}, {"alone", ""}}, {}};
  EXPECT_EQ(Columns(NetworkDrawing("T", apart)).size(), 3u);
}

TEST(NetworkDrawingTest, ArrowsShowTheDirectionOfALink) {
  const std::string drawing = NetworkDrawing("T", SmallNetwork());
  EXPECT_THAT(drawing, HasSubstr(">likes →<"));
  EXPECT_THAT(drawing, HasSubstr(">← has<"));  // from the right end
}

TEST(NetworkDrawingTest, TheLargestWeightIsTheThickestLine) {
  const std::string drawing = NetworkDrawing("T", SmallNetwork());
  EXPECT_THAT(drawing, HasSubstr("weight 1.000</title><path class=\"edge\" "
                                 "stroke-width=\"7.00\""));
  EXPECT_THAT(drawing, HasSubstr("weight 0.500</title><path class=\"edge\" "
                                 "stroke-width=\"4.00\""));
}

TEST(NetworkDrawingTest, LinksBetweenTheSameNodesLieApart) {
  const std::string drawing = NetworkDrawing("T", SmallNetwork());
  const auto path_of = [&](const std::string& name) {
    const size_t at = drawing.find("−" + name);
    const size_t begin = drawing.find(" d=\"", at);
    return drawing.substr(begin, drawing.find('/', begin) - begin);
  };
  EXPECT_NE(path_of("likes"), path_of("owns"));
}

TEST(NetworkDrawingTest, NamesAreCutAndEscaped) {
  Network network = SmallNetwork();
  network.nodes[0].name = "<b>" + std::string(40, 'x');
  network.nodes[1].name = std::string(30, 'y');
  network.nodes[2].kind = "\"><img>";
  const std::string drawing = NetworkDrawing("T", network);
  EXPECT_THAT(drawing, Not(HasSubstr("<b>")));
  EXPECT_THAT(drawing, Not(HasSubstr("<img>")));
  EXPECT_THAT(drawing, HasSubstr(">" + std::string(24, 'y') + "…<"));
  EXPECT_THAT(drawing, HasSubstr("<title>" + std::string(30, 'y')));
}

TEST(NetworkDrawingTest, OneNodeIsNoNetwork) {
  EXPECT_EQ(NetworkDrawing("T", {{{"s", ""}}, {}}), "");
}

}  // namespace
}  // namespace slice
