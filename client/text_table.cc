#include "client/text_table.h"

#include <algorithm>
#include <utility>

#include "common/text_width.h"

namespace slice {
namespace {

constexpr size_t kGap = 2;
constexpr size_t kMinCutWidth = 8;

}  // namespace

TextTable::TextTable(std::vector<Column> columns)
    : columns_(std::move(columns)) {}

void TextTable::AddRow(std::vector<Cell> cells) {
  rows_.push_back(std::move(cells));
}

std::vector<size_t> TextTable::Widths(const TextStyle& style,
                                      size_t indent) const {
  std::vector<size_t> widths;
  size_t total = indent;
  for (size_t c = 0; c < columns_.size(); ++c) {
    size_t width = DisplayWidth(columns_[c].title);
    for (const auto& row : rows_)
      width = std::max(width, DisplayWidth(style.Name(row[c].text)));
    widths.push_back(width);
    total += width + (c > 0 ? kGap : 0);
  }
  while (total > style.width) {
    size_t widest = columns_.size();
    for (size_t c = 0; c < columns_.size(); ++c) {
      if (!columns_[c].right && !columns_[c].whole &&
          (widest == columns_.size() || widths[c] > widths[widest]))
        widest = c;
    }
    if (widest == columns_.size() || widths[widest] <= kMinCutWidth) break;
    --widths[widest];
    --total;
  }
  return widths;
}

std::string TextTable::Draw(const TextStyle& style, size_t indent) const {
  const std::vector<size_t> widths = Widths(style, indent);
  std::string drawn;
  const auto draw_row = [&](const std::vector<Cell>& cells) {
    std::string line(indent, ' ');
    for (size_t c = 0; c < cells.size(); ++c) {
      const std::string text = style.Name(cells[c].text, widths[c]);
      const std::string padding(
          widths[c] - std::min(widths[c], DisplayWidth(text)), ' ');
      if (columns_[c].right) line += padding;
      line += style.Paint(cells[c].color, text);
      if (c + 1 < cells.size())
        line += (columns_[c].right ? "" : padding) + std::string(kGap, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    drawn += line + "\n";
  };
  std::vector<Cell> titles;
  bool titled = false;
  for (const Column& column : columns_) {
    titles.push_back({column.title, TextColor::kFaint});
    titled |= !column.title.empty();
  }
  if (titled) draw_row(titles);
  for (const auto& row : rows_) draw_row(row);
  return drawn;
}

std::string TextTable::TabSeparated() const {
  std::string text;
  for (const auto& row : rows_) {
    for (size_t c = 0; c < row.size(); ++c) {
      if (c > 0) text += '\t';
      // A tab or a line break inside a name would break the row.
      text += Printable(row[c].text, "\uFFFD");
    }
    text += '\n';
  }
  return text;
}

}  // namespace slice
