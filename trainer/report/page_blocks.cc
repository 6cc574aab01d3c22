#include "trainer/report/page_blocks.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace slice {

std::string Percent(double value) {
  return std::isnan(value) ? "–" : absl::StrFormat("%.2f", 100 * value);
}

std::string Fraction(double value) {
  return std::isnan(value) ? "–" : absl::StrFormat("%.3f", value);
}

std::string Card(const std::string& content) {
  return content.empty()
             ? ""
             : absl::StrCat("<div class=\"card\">", content, "</div>\n");
}

std::string BarCell(double value, double zero) {
  const double part =
      std::isnan(value) ? 0 : std::clamp((value - zero) / (1 - zero), 0.0, 1.0);
  return absl::StrFormat(
      "<td class=\"bar\"><span class=\"track\"><i style=\"width:%.1f%%\"></i>"
      "</span></td>",
      100 * part);
}

std::string ChartSection(const std::string& heading, const std::string& note,
                         std::span<const std::string> charts) {
  std::string cards;
  for (const std::string& chart : charts) absl::StrAppend(&cards, Card(chart));
  if (cards.empty()) return "";
  const std::string remark =
      note.empty() ? ""
                   : absl::StrCat("<p class=\"muted small\">", note, "</p>\n");
  return absl::StrCat("<h2>", heading, "</h2>\n", remark,
                      "<div class=\"charts\">\n", cards, "</div>\n");
}

}  // namespace slice
