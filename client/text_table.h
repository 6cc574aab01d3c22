// Rows of text in aligned columns.
#ifndef SLICE_CLIENT_TEXT_TABLE_H_
#define SLICE_CLIENT_TEXT_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "client/text_style.h"

namespace slice {

// Thread-compatible.
class TextTable {
 public:
  struct Cell {
    std::string text;
    TextColor color = TextColor::kPlain;
  };
  struct Column {
    std::string title;
    bool right = false;  // align to the right: numbers
    bool whole = false;  // never cut: bars
  };

  explicit TextTable(std::vector<Column> columns);

  // REQUIRES: as many cells as columns.
  void AddRow(std::vector<Cell> cells);

  // For a person: titles (unless all are empty), columns padded to the widest
  // cell and two blanks apart, every line indented. When a line would be wider
  // than the style, the widest column that is not `whole` is cut.
  std::string Draw(const TextStyle& style, size_t indent) const;

  // For a program: no titles, cells separated by tabs, nothing cut.
  std::string TabSeparated() const;

 private:
  std::vector<size_t> Widths(const TextStyle& style, size_t indent) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace slice

#endif  // SLICE_CLIENT_TEXT_TABLE_H_
