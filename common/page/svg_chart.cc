// Every chart is built by a Drawing, in these steps:
//
// 1. Two axes are made from the bounds that the options give, or else from the
//    bounds of the points. An Axis maps a value to a share of its length;
//    Drawing maps that share to user units of the SVG. The page scales the SVG
//    to its width.
// 2. YMarks draws horizontal grid lines with numbers at round steps. Under the
//    chart, either XMarks writes numbers or XNames writes names.
// 3. The chart draws its lines, areas or bars.
// 4. Finish puts title and legend above the SVG. Both are HTML, so that their
//    lines wrap with the page.
//
// The style sheet (common/page/page_style.cc) sets the colours of the classes
// line0 to line5, fill0 to fill5 and key0 to key5. Every text is escaped.
#include "common/page/svg_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/page/markup.h"

namespace slice {
namespace {

// User units of the drawing; the page scales it.
constexpr double kWidth = 440, kHeight = 262;
constexpr double kLeft = 52, kRight = 14, kTop = 12, kBottom = 44;
constexpr double kPlotWidth = kWidth - kLeft - kRight;
constexpr double kPlotHeight = kHeight - kTop - kBottom;
constexpr int kColours = 6;
constexpr int kMarks = 5;  // an axis gets about this many marks

// The distance between the marks of an axis: 1, 2, 2.5 or 5 times a power of
// ten, chosen so that a range has at most about kMarks steps.
double MarkStep(double range) {
  if (!(range > 0)) return 1;
  const double rough = range / kMarks;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= rough * 0.999) return factor * power;
  }
  return 10 * power;
}

// One axis. Maps a value to a share of the length of the axis.
struct Axis {
  double low = 0;
  double high = 1;
  double step = 0.2;
  bool logarithmic = false;

  // The share of a value: 0 at the low end of the axis, 1 at its high end.
  // Values beyond the ends are clamped.
  double Part(double value) const {
    const double part = logarithmic ? std::log(std::max(value, low) / low) /
                                          std::log(high / low)
                                    : (value - low) / (high - low);
    return std::clamp(part, 0.0, 1.0);
  }

  // The values that get a mark and a grid line.
  std::vector<double> Marks() const {
    std::vector<double> marks;
    if (logarithmic) {
      const bool close = high / low < 200;
      for (double power = low / 10; power <= high * 1.001; power *= 10) {
        for (const double factor : {1.0, 2.0, 5.0}) {
          const double mark = power * factor;
          if ((close || factor == 1) && mark >= low * 0.999 &&
              mark <= high * 1.001)
            marks.push_back(mark);
        }
      }
    } else {
      for (double mark = low; mark <= high + step * 1e-6; mark += step)
        marks.push_back(mark);
    }
    return marks;
  }
};

// A logarithmic axis from the power of ten below `least` to the one above
// `most`.
Axis MakeLogAxis(double least, double most) {
  Axis axis;
  axis.logarithmic = true;
  axis.low = std::pow(10, std::floor(std::log10(least) + 1e-9));
  axis.high = std::pow(10, std::ceil(std::log10(most) - 1e-9));
  if (!(axis.high > axis.low)) axis.high = axis.low * 10;
  return axis;
}

// A linear axis for points between `least` and `most`. If `low` is not given,
// the axis begins at the last mark at or below `least`; if `high` is not given,
// it ends at the first mark at or above `most`.
Axis MakeAxis(std::optional<double> low, std::optional<double> high,
              double least, double most) {
  Axis axis;
  axis.low = low.value_or(least);
  axis.high = high.value_or(most);
  if (!(axis.high > axis.low)) axis.high = axis.low + 1;
  axis.step = MarkStep(axis.high - axis.low);
  if (!low.has_value()) {
    axis.low = std::floor(axis.low / axis.step + 1e-9) * axis.step;
  }
  if (!high.has_value()) {
    axis.high = std::ceil(axis.high / axis.step - 1e-9) * axis.step;
  }
  return axis;
}

struct Bounds {
  double x_low = std::numeric_limits<double>::infinity();
  double x_high = -std::numeric_limits<double>::infinity();
  double y_low = x_low;
  double y_high = x_high;

  void Add(double x, double y) {
    x_low = std::min(x_low, x);
    x_high = std::max(x_high, x);
    y_low = std::min(y_low, y);
    y_high = std::max(y_high, y);
  }
  bool empty() const { return !(x_high >= x_low); }
};

// One chart while it is written: its axes, and the HTML and SVG so far.
class Drawing {
 public:
  Drawing(const ChartOptions& options, const Axis& x, const Axis& y)
      : x_(x), y_(y) {
    head_ = absl::StrFormat("<p class=\"chart-title\">%s</p>",
                            EscapeMarkup(options.title));
    absl::StrAppendFormat(
        &svg_,
        "<svg class=\"chart\" viewBox=\"0 0 %g %g\" role=\"img\" "
        "aria-label=\"%s\">",
        kWidth, kHeight, EscapeMarkup(options.title));
    Text(kLeft + kPlotWidth / 2, kHeight - 8, "axis-label", "middle",
         options.x_label);
    absl::StrAppendFormat(
        &svg_,
        "<text class=\"axis-label\" text-anchor=\"middle\" "
        "transform=\"translate(12 %g) rotate(-90)\">%s</text>",
        kTop + kPlotHeight / 2, EscapeMarkup(options.y_label));
  }

  double X(double value) const { return kLeft + x_.Part(value) * kPlotWidth; }
  double Y(double value) const {
    return kTop + (1 - y_.Part(value)) * kPlotHeight;
  }

  void YMarks() {
    for (const double y : y_.Marks()) {
      absl::StrAppendFormat(&svg_,
                            "<line class=\"grid\" x1=\"%g\" x2=\"%g\" "
                            "y1=\"%.1f\" y2=\"%.1f\"/>",
                            kLeft, kLeft + kPlotWidth, Y(y), Y(y));
      Text(kLeft - 6, Y(y) + 4, "mark", "end", FormatMark(y));
    }
  }

  void XMarks() {
    const double first = std::ceil(x_.low / x_.step - 1e-9) * x_.step;
    for (double x = first; x <= x_.high + x_.step * 1e-6; x += x_.step) {
      Text(X(x), kTop + kPlotHeight + 16, "mark", "middle", FormatMark(x));
    }
  }

  void XNames(const std::vector<std::string>& names) {
    for (size_t i = 0; i < names.size(); ++i) {
      Text(X(static_cast<double>(i)), kTop + kPlotHeight + 16, "mark", "middle",
           names[i]);
    }
  }

  void BaseLine() {
    absl::StrAppendFormat(&svg_,
                          "<line class=\"base\" x1=\"%g\" x2=\"%g\" y1=\"%g\" "
                          "y2=\"%g\"/>",
                          kLeft, kLeft + kPlotWidth, kTop + kPlotHeight,
                          kTop + kPlotHeight);
  }

  void Text(double x, double y, std::string_view style, std::string_view anchor,
            std::string_view text) {
    absl::StrAppendFormat(
        &svg_,
        "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
        std::string(style), x, y, std::string(anchor), EscapeMarkup(text));
  }

  // A legend under the title, which wraps with the page.
  void Legend(std::span<const std::string> names) {
    if (names.size() < 2) return;
    absl::StrAppend(&head_, "<p class=\"legend\">");
    for (size_t i = 0; i < names.size(); ++i) {
      absl::StrAppendFormat(&head_, "<span class=\"key%d\">%s</span>",
                            i % kColours, EscapeMarkup(names[i]));
    }
    absl::StrAppend(&head_, "</p>");
  }

  std::string& svg() { return svg_; }
  std::string Finish() { return head_ + svg_ + "</svg>\n"; }

 private:
  const Axis x_, y_;
  std::string head_;  // title and legend
  std::string svg_;
};

std::vector<std::string> Names(std::span<const ChartSeries> series) {
  std::vector<std::string> names;
  for (const ChartSeries& one : series) names.push_back(one.name);
  return names;
}

void AppendDot(Drawing& drawing, size_t colour, const std::string& name,
               const CurvePoint& point) {
  absl::StrAppendFormat(
      &drawing.svg(),
      "<circle class=\"dot fill%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\">"
      "<title>%s: %s, %s</title></circle>",
      colour % kColours, drawing.X(point.x), drawing.Y(point.y),
      EscapeMarkup(name), FormatMark(point.x), FormatMark(point.y));
}

}  // namespace

std::string FormatMark(double value) {
  const double size = std::abs(value);
  if (size < 1e-9) return "0";
  if (size >= 1e6) return absl::StrFormat("%.4g M", value / 1e6);
  if (size >= 1e4) return absl::StrFormat("%.4g k", value / 1e3);
  return absl::StrFormat("%.4g", value);
}

std::string LineChart(const ChartOptions& options,
                      std::span<const ChartSeries> series) {
  Bounds bounds;
  for (const ChartSeries& one : series) {
    for (const CurvePoint& point : one.points) bounds.Add(point.x, point.y);
  }
  if (bounds.empty()) return "";
  Drawing drawing(
      options,
      MakeAxis(options.x_low, options.x_high, bounds.x_low, bounds.x_high),
      options.y_log && bounds.y_low > 0
          ? MakeLogAxis(bounds.y_low, bounds.y_high)
          : MakeAxis(options.y_low, options.y_high, bounds.y_low,
                     bounds.y_high));
  drawing.YMarks();
  options.x_names.empty() ? drawing.XMarks() : drawing.XNames(options.x_names);
  drawing.BaseLine();
  drawing.Legend(Names(series));
  if (options.diagonal) {
    absl::StrAppendFormat(
        &drawing.svg(),
        "<line class=\"reference\" x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\"/>",
        kLeft, kTop + kPlotHeight, kLeft + kPlotWidth, kTop);
  }
  // The first curve is a whole line. Each further one is dashed, and drawn over
  // the ones before, which show through its gaps.
  for (size_t i = 0; i < series.size(); ++i) {
    absl::StrAppendFormat(&drawing.svg(),
                          "<polyline class=\"line line%d\" points=\"",
                          i % kColours);
    for (const CurvePoint& point : series[i].points) {
      absl::StrAppendFormat(&drawing.svg(), "%.1f,%.1f ", drawing.X(point.x),
                            drawing.Y(point.y));
    }
    absl::StrAppendFormat(&drawing.svg(), "\"><title>%s</title></polyline>",
                          EscapeMarkup(series[i].name));
    if (!series[i].dots) continue;
    for (const CurvePoint& point : series[i].points) {
      AppendDot(drawing, i, series[i].name, point);
    }
  }
  return drawing.Finish();
}

std::string StepAreaChart(const ChartOptions& options,
                          std::span<const ChartSeries> series, double bin) {
  Bounds bounds;
  for (const ChartSeries& one : series) {
    for (const CurvePoint& point : one.points) {
      bounds.Add(point.x, 0);
      bounds.Add(point.x + bin, point.y);
    }
  }
  if (bounds.empty()) return "";
  Drawing drawing(options,
                  MakeAxis(options.x_low.value_or(bounds.x_low),
                           options.x_high.value_or(bounds.x_high), 0, 1),
                  MakeAxis(0, options.y_high, 0, bounds.y_high));
  drawing.YMarks();
  drawing.XMarks();
  drawing.Legend(Names(series));
  for (size_t i = 0; i < series.size(); ++i) {
    std::string edge;
    for (const CurvePoint& point : series[i].points) {
      absl::StrAppendFormat(&edge, "L%.1f %.1f L%.1f %.1f ", drawing.X(point.x),
                            drawing.Y(point.y), drawing.X(point.x + bin),
                            drawing.Y(point.y));
    }
    if (edge.empty()) continue;
    absl::StrAppendFormat(
        &drawing.svg(),
        "<path class=\"area fill%d line%d\" d=\"M%.1f %.1f %sL%.1f %.1f\">"
        "<title>%s</title></path>",
        i % kColours, i % kColours, drawing.X(series[i].points.front().x),
        drawing.Y(0), edge, drawing.X(series[i].points.back().x + bin),
        drawing.Y(0), EscapeMarkup(series[i].name));
  }
  drawing.BaseLine();
  return drawing.Finish();
}

std::string GroupedBarChart(const ChartOptions& options,
                            std::span<const std::string> labels,
                            std::span<const std::string> series_names,
                            std::span<const std::vector<double>> values) {
  if (labels.empty() || values.empty()) return "";
  double most = 0;
  for (const std::vector<double>& one : values) {
    for (const double value : one) most = std::max(most, value);
  }
  Drawing drawing(options, Axis{0, static_cast<double>(labels.size()), 1},
                  MakeAxis(0, options.y_high, 0, most > 0 ? most : 1));
  drawing.YMarks();
  drawing.Legend(series_names);
  const double group = kPlotWidth / static_cast<double>(labels.size());
  const double gap = group > 12 ? 2 : 0.5;
  const double bar =
      std::min(34.0, (group * 0.8 - gap * static_cast<double>(values.size())) /
                         static_cast<double>(values.size()));
  for (size_t g = 0; g < labels.size(); ++g) {
    const double middle = kLeft + (static_cast<double>(g) + 0.5) * group;
    double x = middle - static_cast<double>(values.size()) * (bar + gap) / 2;
    for (size_t s = 0; s < values.size(); ++s, x += bar + gap) {
      const double top = drawing.Y(values[s][g]);
      absl::StrAppendFormat(
          &drawing.svg(),
          "<rect class=\"fill%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
          "height=\"%.1f\" rx=\"1.5\"><title>%s, %s: %s</title></rect>",
          s % kColours, x, top, bar, kTop + kPlotHeight - top,
          EscapeMarkup(labels[g]), EscapeMarkup(series_names[s]),
          FormatMark(values[s][g]));
    }
    // Labels that would touch are left out.
    const size_t every = static_cast<size_t>(std::ceil(26 / group));
    if (g % every == 0) {
      drawing.Text(middle, kTop + kPlotHeight + 16, "mark", "middle",
                   labels[g]);
    }
  }
  drawing.BaseLine();
  return drawing.Finish();
}

}  // namespace slice
