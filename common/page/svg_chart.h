// A small writer of charts: a title and a key in HTML over inline SVG. Colours,
// fonts and line styles come from the page's style sheet (ReportStyleSheet), so
// that a chart follows the reader's light or dark setting.
#ifndef SLICE_COMMON_PAGE_SVG_CHART_H_
#define SLICE_COMMON_PAGE_SVG_CHART_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/page/curve_point.h"

namespace slice {

// Text made safe for HTML and SVG content and attributes.
std::string EscapeMarkup(std::string_view text);

// "12,345" and short decimals such as "0.9967", "1.2 k" for axis marks.
std::string FormatThousands(uint64_t count);
std::string FormatMark(double value);

// One line (or bars, or an area) of a chart. Series are coloured by position.
struct ChartSeries {
  std::string name;
  std::vector<CurvePoint> points;  // ascending x
  bool dots = false;               // mark every point
};

struct ChartOptions {
  std::string title;
  std::string x_label;
  std::string y_label;
  // Bounds of the axes; those not given are taken from the points, rounded.
  std::optional<double> x_low = std::nullopt;
  std::optional<double> x_high = std::nullopt;
  std::optional<double> y_low = std::nullopt;
  std::optional<double> y_high = std::nullopt;
  bool diagonal = false;  // a dashed reference from corner to corner
  // Names of x = 0, 1, 2 … in the place of numbers.
  std::vector<std::string> x_names = {};
  // A logarithmic axis between powers of ten, in LineChart; where a y is not
  // above 0 the axis stays linear.
  bool y_log = false;
};

// Lines over numeric axes. Empty when no series has a point.
std::string LineChart(const ChartOptions& options,
                      std::span<const ChartSeries> series);

// Filled steps: x is the left edge of a bin of width `bin`, y its height. For
// histograms laid over each other.
std::string StepAreaChart(const ChartOptions& options,
                          std::span<const ChartSeries> series, double bin);

// Bars side by side, one group per label; values[s][g] is series s in group g.
std::string GroupedBarChart(const ChartOptions& options,
                            std::span<const std::string> labels,
                            std::span<const std::string> series_names,
                            std::span<const std::vector<double>> values);

// A square matrix as shaded cells, `values` [names * names] row-major and not
// negative; the axes carry positions, the cells names and values to hover over.
std::string HeatMap(const std::string& title,
                    std::span<const std::string> names,
                    std::span<const float> values);

}  // namespace slice

#endif  // SLICE_COMMON_PAGE_SVG_CHART_H_
