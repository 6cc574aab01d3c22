#include "common/page/svg_heat_map.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/page/markup.h"

namespace slice {
namespace {

// In user units.
constexpr double kLeft = 24, kTop = 18, kEdge = 6;
constexpr double kScaleHeight = 10, kScaleGap = 12, kScaleMarks = 16;
constexpr double kValueCell = 26;  // smaller cells have no room for a value
constexpr int kShades = 10;        // of the scale
constexpr float kStrongShade = 0.75f;

std::string CellDrawing(double x, double y, double size, double shade,
                        const std::string& words) {
  return absl::StrFormat(
      "<rect class=\"cell\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
      "height=\"%.1f\" fill-opacity=\"%.3f\"><title>%s</title></rect>",
      x, y, size - 1, size - 1, shade, EscapeMarkup(words));
}

std::string CellValue(double x, double y, float value, float shade) {
  return absl::StrFormat(
      "<text class=\"cell-value%s\" x=\"%.1f\" y=\"%.1f\" "
      "text-anchor=\"middle\">%.2f</text>",
      shade > kStrongShade ? " strong" : "", x, y, value);
}

// The numbers of the tokens, above the columns and left of the rows.
std::string Positions(size_t count, double cell) {
  std::string svg;
  // Positions that would touch are left out.
  const size_t every = cell < 16 ? (cell < 10 ? 4 : 2) : 1;
  for (size_t i = 0; i < count; i += every) {
    const double middle = (static_cast<double>(i) + 0.5) * cell;
    absl::StrAppendFormat(
        &svg,
        "<text class=\"mark\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%d"
        "</text><text class=\"mark\" x=\"%.1f\" y=\"%.1f\" "
        "text-anchor=\"end\">%d</text>",
        kLeft + middle, kTop - 6, i, kLeft - 5, kTop + middle + 4, i);
  }
  return svg;
}

// The shades from 0 to `most`, below a matrix of width `size`.
std::string Scale(double size, float most) {
  const double top = kTop + size + kScaleGap;
  const double step = size / kShades;
  std::string svg;
  for (int i = 0; i < kShades; ++i) {
    absl::StrAppendFormat(
        &svg,
        "<rect class=\"cell\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
        "height=\"%g\" fill-opacity=\"%.2f\"/>",
        kLeft + i * step, top, step, kScaleHeight, (i + 0.5) / kShades);
  }
  const double marks = top + kScaleHeight + 12;
  absl::StrAppendFormat(
      &svg,
      "<text class=\"mark\" x=\"%.1f\" y=\"%.1f\">0</text><text class=\"mark\" "
      "x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.2f</text>",
      kLeft, marks, kLeft + size, marks, most);
  return svg;
}

}  // namespace

std::string HeatMap(const std::string& title,
                    std::span<const std::string> names,
                    std::span<const float> values) {
  const size_t count = names.size();
  if (count == 0 || values.size() != count * count) return "";
  // Small matrices get larger cells.
  const double cell = std::clamp(220.0 / static_cast<double>(count), 8.0, 34.0);
  const double size = cell * static_cast<double>(count);
  const float most = *std::max_element(values.begin(), values.end());
  const double width = kLeft + size + kEdge;
  std::string svg = absl::StrFormat(
      "<div><p class=\"chart-title\">%s</p><svg class=\"chart\" "
      "style=\"width:%.0fpx\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
      "aria-label=\"%s\">",
      EscapeMarkup(title), width, width,
      kTop + size + kScaleGap + kScaleHeight + kScaleMarks,
      EscapeMarkup(title));
  svg += Positions(count, cell);
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < count; ++j) {
      const float value = values[i * count + j];
      const float shade = most > 0 ? value / most : 0;
      const double x = kLeft + static_cast<double>(j) * cell;
      const double y = kTop + static_cast<double>(i) * cell;
      svg += CellDrawing(x, y, cell, shade,
                         absl::StrFormat("%s receives %.3f from %s", names[i],
                                         value, names[j]));
      if (cell >= kValueCell) {
        svg += CellValue(x + cell / 2, y + cell / 2 + 3, value, shade);
      }
    }
  }
  return absl::StrCat(svg, Scale(size, most), "</svg></div>\n");
}

}  // namespace slice
