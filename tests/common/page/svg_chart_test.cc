#include "common/page/svg_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(SvgChartTest, MarksAreShortNumbers) {
  EXPECT_EQ(FormatMark(0.1 + 0.2 - 0.3), "0");
  EXPECT_EQ(FormatMark(0.25), "0.25");
  EXPECT_EQ(FormatMark(25000), "25 k");
  EXPECT_EQ(FormatMark(2500000), "2.5 M");
}

TEST(SvgChartTest, ALogarithmicAxisNeedsValuesAboveZero) {
  ChartOptions options;
  options.y_log = true;
  const ChartSeries above = {"a", {{0, 2}, {1, 50}}, false};
  EXPECT_THAT(LineChart(options, {&above, 1}), HasSubstr(">20<"));
  const ChartSeries from_zero = {"z", {{0, 0}, {1, 50}}, false};
  options.y_log = false;
  const std::string linear = LineChart(options, {&from_zero, 1});
  options.y_log = true;
  EXPECT_EQ(LineChart(options, {&from_zero, 1}), linear);
}

TEST(SvgChartTest, LineRunsFromCornerToCorner) {
  const ChartSeries series = {"line", {{0, 0}, {1, 1}}, false};
  const std::string chart =
      LineChart({"T", "x", "y", 0.0, 1.0, 0.0, 1.0}, {&series, 1});
  // Left bottom and right top of the plot, in drawing units.
  EXPECT_THAT(chart, HasSubstr("points=\"52.0,218.0 426.0,12.0 \""));
}

TEST(SvgChartTest, PointsOutsideGivenBoundsAreClipped) {
  const ChartSeries series = {"line", {{-5, -5}, {9, 9}}, false};
  const std::string chart =
      LineChart({"T", "x", "y", 0.0, 1.0, 0.0, 1.0}, {&series, 1});
  EXPECT_THAT(chart, HasSubstr("points=\"52.0,218.0 426.0,12.0 \""));
}

TEST(SvgChartTest, ConstantLineHasARange) {
  const ChartSeries series = {"flat", {{1, 3}, {2, 3}}, true};
  const std::string chart = LineChart({"T", "x", "y"}, {&series, 1});
  EXPECT_THAT(chart, HasSubstr("<polyline"));
  EXPECT_THAT(chart, Not(HasSubstr("nan")));
}

// Each is dashed over the ones before, so that equal curves are all seen.
TEST(SvgChartTest, LaterLinesAreDrawnOverEarlierOnes) {
  const ChartSeries series[] = {{"a", {{0, 0}, {1, 1}}, false},
                                {"b", {{0, 0}, {1, 1}}, false}};
  const std::string chart = LineChart({"T", "x", "y"}, series);
  EXPECT_LT(chart.find("class=\"line line0\""),
            chart.find("class=\"line line1\""));
}

TEST(SvgChartTest, NothingToDrawGivesNothing) {
  const ChartSeries empty = {"none", {}, false};
  EXPECT_EQ(LineChart({"T", "x", "y"}, {&empty, 1}), "");
  EXPECT_EQ(StepAreaChart({"T", "x", "y"}, {&empty, 1}, 0.1), "");
  EXPECT_EQ(GroupedBarChart({"T", "x", "y"}, {}, {}, {}), "");
}

TEST(SvgChartTest, LegendNamesSeveralSeriesOnly) {
  const std::vector<ChartSeries> series = {{"first", {{0, 0}, {1, 1}}, false},
                                           {"second", {{0, 1}, {1, 0}}, false}};
  EXPECT_THAT(LineChart({"T", "x", "y"}, series),
              HasSubstr("class=\"legend\""));
  EXPECT_THAT(LineChart({"T", "x", "y"}, std::span(series).first(1)),
              Not(HasSubstr("class=\"legend\"")));
}

TEST(SvgChartTest, BarHeightsAreInProportion) {
  const std::vector<std::string> labels = {"a", "b"}, names = {"links"};
  const std::vector<std::vector<double>> values = {{10, 5}};
  const std::string chart =
      GroupedBarChart({"T", "x", "y"}, labels, names, values);
  EXPECT_THAT(chart, HasSubstr("height=\"206.0\""));
  EXPECT_THAT(chart, HasSubstr("height=\"103.0\""));
  EXPECT_THAT(chart, HasSubstr("<title>b, links: 5</title>"));
}

TEST(SvgChartTest, NamesOfAnyLengthStayOutOfTheDrawing) {
  const std::string name(200, 'n');
  const std::vector<ChartSeries> series = {{name, {{0, 0}, {1, 1}}, false},
                                           {name, {{0, 1}, {1, 0}}, false}};
  const std::string chart = LineChart({"T", "x", "y"}, series);
  const size_t drawing = chart.find("<svg");
  // Inside the drawing the name occurs only in tooltips.
  for (size_t at = chart.find(name, drawing); at != std::string::npos;
       at = chart.find(name, at + 1)) {
    EXPECT_EQ(chart.substr(at - 7, 7), "<title>");
  }
  EXPECT_LT(chart.find(name), drawing);
}

TEST(SvgChartTest, ALogarithmicAxisGivesEveryDecadeTheSameHeight) {
  ChartOptions options;
  options.y_log = true;
  const std::vector<ChartSeries> series = {
      {"latency", {{0, 0.5}, {1, 5}, {2, 50}}}};
  const std::string chart = LineChart(options, series);
  // The axis runs from 0.1 to 100 over 206 units, downwards from 12.
  const auto height = [](double value) {
    return 12 + (1 - (std::log10(value) + 1) / 3) * 206;
  };
  const std::string points =
      absl::StrFormat("points=\"52.0,%.1f 239.0,%.1f 426.0,%.1f \"",
                      height(0.5), height(5), height(50));
  EXPECT_THAT(chart, HasSubstr(points));
  for (const char* mark : {">0.1<", ">1<", ">10<", ">100<"})
    EXPECT_THAT(chart, HasSubstr(mark));
  EXPECT_THAT(chart, Not(HasSubstr(">50<")));
}

}  // namespace
}  // namespace slice
