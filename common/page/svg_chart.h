// Charts for HTML pages: a title and a legend in HTML above inline SVG.
// Colours, fonts and line styles come from the style sheet of the page
// (ReportStyleSheet in common/page/page_style.h), so that a chart follows the
// reader's light or dark setting.
#ifndef SLICE_COMMON_PAGE_SVG_CHART_H_
#define SLICE_COMMON_PAGE_SVG_CHART_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/page/curve_point.h"

namespace slice {

// A short decimal for the marks of an axis, such as "0.9967" or "12 k".
std::string FormatMark(double value);

// One line or area of a chart. Its position among the series gives its colour.
struct ChartSeries {
  std::string name;
  std::vector<CurvePoint> points;  // ascending x
  bool dots = false;               // mark every point
};

struct ChartOptions {
  std::string title;
  std::string x_label;
  std::string y_label;
  // Bounds of the axes. A bound that is not given is taken from the points and
  // rounded.
  std::optional<double> x_low = std::nullopt;
  std::optional<double> x_high = std::nullopt;
  std::optional<double> y_low = std::nullopt;
  std::optional<double> y_high = std::nullopt;
  bool diagonal = false;  // a dashed reference from corner to corner
  // Names to show at x = 0, 1, 2 … instead of numbers.
  std::vector<std::string> x_names = {};
  // Makes the y axis of a LineChart logarithmic, between powers of ten. It
  // stays linear when some y is 0 or below.
  bool y_log = false;
};

// Lines over numeric axes. Empty when no series has a point.
std::string LineChart(const ChartOptions& options,
                      std::span<const ChartSeries> series);

// Filled steps, for histograms laid over each other. The x of a point is the
// left edge of a bin of width `bin`, its y the height of the bin. Empty when no
// series has a point.
std::string StepAreaChart(const ChartOptions& options,
                          std::span<const ChartSeries> series, double bin);

// Bars side by side, one group per label. values[s][g] is the height of the bar
// of series s in group g. Empty without labels or without series.
std::string GroupedBarChart(const ChartOptions& options,
                            std::span<const std::string> labels,
                            std::span<const std::string> series_names,
                            std::span<const std::vector<double>> values);

}  // namespace slice

#endif  // SLICE_COMMON_PAGE_SVG_CHART_H_
