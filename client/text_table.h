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

  // The table for a person. The first line has the titles, unless all of them
  // are empty. Columns are padded to their widest cell and stand two blanks
  // apart. Every line is indented by `indent` blanks. When lines would be wider
  // than style.width, the widest columns that are neither `right` nor `whole`
  // are cut, to no less than eight columns of text each.
  std::string Draw(const TextStyle& style, size_t indent) const;

  // The table for a program: there are no titles, cells are separated by tabs,
  // and nothing is cut.
  std::string TabSeparated() const;

 private:
  std::vector<size_t> Widths(const TextStyle& style, size_t indent) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace slice

#endif  // SLICE_CLIENT_TEXT_TABLE_H_
