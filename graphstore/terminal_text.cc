#include "graphstore/terminal_text.h"

#include <algorithm>

namespace slice {
namespace {

constexpr std::string_view kBlock = "\u2588";
constexpr std::string_view kEllipsis = "\u2026";

bool StartsCodePoint(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

size_t Width(std::string_view text) {
  return std::count_if(text.begin(), text.end(), StartsCodePoint);
}

std::string Cut(std::string_view text, size_t widest) {
  if (Width(text) <= widest) return std::string(text);
  size_t bytes = 0;
  size_t points = 0;
  for (; bytes < text.size(); ++bytes) {
    if (StartsCodePoint(text[bytes]) && ++points == widest) break;
  }
  return std::string(text.substr(0, bytes)).append(kEllipsis);
}

}  // namespace

std::string FormatTable(const std::vector<std::vector<std::string>>& rows,
                        size_t widest) {
  if (rows.empty()) return "";
  std::vector<std::vector<std::string>> cells;
  std::vector<bool> right;
  for (const std::string& header : rows[0])
    right.push_back(header.starts_with('>'));
  std::vector<size_t> widths(rows[0].size(), 0);
  for (const std::vector<std::string>& row : rows) {
    std::vector<std::string>& shown = cells.emplace_back();
    for (size_t i = 0; i < row.size(); ++i) {
      const bool header = cells.size() == 1 && right[i];
      shown.push_back(Cut(header ? row[i].substr(1) : row[i], widest));
      widths[i] = std::max(widths[i], Width(shown.back()));
    }
  }
  std::string text;
  for (const std::vector<std::string>& row : cells) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - Width(row[i]), ' ');
      line.append("  ");
      line.append(right[i] ? padding + row[i] : row[i] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text.append(line).append("\n");
  }
  return text;
}

std::string FormatBar(uint64_t value, uint64_t most, size_t width) {
  if (value == 0 || most == 0) return "";
  const size_t blocks = std::max<size_t>(
      1, static_cast<size_t>(static_cast<double>(value) / most * width + 0.5));
  std::string bar;
  for (size_t i = 0; i < std::min(blocks, width); ++i) bar.append(kBlock);
  return bar;
}

}  // namespace slice
