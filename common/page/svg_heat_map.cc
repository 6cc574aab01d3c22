#include "common/page/svg_heat_map.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/page/markup.h"

namespace slice {

std::string HeatMap(const std::string& title,
                    std::span<const std::string> names,
                    std::span<const float> values) {
  const size_t count = names.size();
  if (count == 0 || values.size() != count * count) return "";
  // In user units. Small matrices get larger cells.
  constexpr double kLeft = 24, kTop = 18;
  const double cell = std::clamp(220.0 / static_cast<double>(count), 8.0, 34.0);
  const double size = cell * static_cast<double>(count);
  const float most = *std::max_element(values.begin(), values.end());
  std::string svg = absl::StrFormat(
      "<div><p class=\"chart-title\">%s</p><svg class=\"chart\" "
      "style=\"width:%.0fpx\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
      "aria-label=\"%s\">",
      EscapeMarkup(title), kLeft + size + 6, kLeft + size + 6, kTop + size + 6,
      EscapeMarkup(title));
  // Positions that would touch are left out.
  const size_t every = cell < 16 ? (cell < 10 ? 4 : 2) : 1;
  for (size_t i = 0; i < count; ++i) {
    const double middle = (static_cast<double>(i) + 0.5) * cell;
    if (i % every == 0) {
      absl::StrAppendFormat(
          &svg,
          "<text class=\"mark\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%d"
          "</text><text class=\"mark\" x=\"%.1f\" y=\"%.1f\" "
          "text-anchor=\"end\">%d</text>",
          kLeft + middle, kTop - 6, i, kLeft - 5, kTop + middle + 4, i);
    }
    for (size_t j = 0; j < count; ++j) {
      const float value = values[i * count + j];
      absl::StrAppendFormat(
          &svg,
          "<rect class=\"cell\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
          "height=\"%.1f\" fill-opacity=\"%.3f\"><title>%s receives %.3f from "
          "%s</title></rect>",
          kLeft + static_cast<double>(j) * cell,
          kTop + static_cast<double>(i) * cell, cell - 1, cell - 1,
          most > 0 ? value / most : 0, EscapeMarkup(names[i]), value,
          EscapeMarkup(names[j]));
    }
  }
  return svg + "</svg></div>\n";
}

}  // namespace slice
