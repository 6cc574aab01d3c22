#include "trainer/report/page_blocks.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/page/markup.h"

namespace slice {
namespace {

// "Where it errs" becomes "where-it-errs".
std::string AddressOf(const std::string& title) {
  std::string address;
  for (const char c : title) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c))) {
      address += absl::ascii_tolower(static_cast<unsigned char>(c));
    } else if (!address.empty() && address.back() != '-') {
      address += '-';
    }
  }
  return address;
}

}  // namespace

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
  const bool below = value < zero;
  const double part = std::isnan(value) ? 0
                      : below           ? (zero - value) / zero
                                        : (value - zero) / (1 - zero);
  return absl::StrFormat(
      "<td class=\"bar\"><span class=\"track%s\"%s><i style=\"width:%.1f%%\">"
      "</i></span></td>",
      below ? " below" : "", below ? " title=\"below chance\"" : "",
      100 * std::clamp(part, 0.0, 1.0));
}

std::string Remark(const std::string& text) {
  return text.empty()
             ? ""
             : absl::StrCat("<p class=\"muted small\">", text, "</p>\n");
}

std::string ChartGrid(const std::string& note,
                      std::span<const std::string> charts) {
  std::string cards;
  for (const std::string& chart : charts) absl::StrAppend(&cards, Card(chart));
  if (cards.empty()) return "";
  return absl::StrCat(Remark(note), "<div class=\"charts\">\n", cards,
                      "</div>\n");
}

std::string Sections(std::span<const PageSection> sections) {
  std::string links, parts;
  int shown = 0;
  for (const PageSection& section : sections) {
    if (section.content.empty()) continue;
    ++shown;
    const std::string address = AddressOf(section.title);
    const std::string title = EscapeMarkup(section.title);
    absl::StrAppend(&links, "<li><a href=\"#", address, "\">", title,
                    "</a></li>\n");
    absl::StrAppend(&parts, "<h2 id=\"", address, "\">", title, "</h2>\n",
                    section.content);
  }
  if (shown <= 2) return parts;
  return absl::StrCat("<nav class=\"contents\" aria-label=\"Contents\"><ul>\n",
                      links, "</ul></nav>\n", parts);
}

}  // namespace slice
