// Plain text for terminals: tables and bars.
#ifndef SLICE_GRAPHSTORE_TERMINAL_TEXT_H_
#define SLICE_GRAPHSTORE_TERMINAL_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slice {

// A table of `rows`, the first of which is the header. A column whose header
// starts with ">" (which is not shown) is aligned to the right. Cells of more
// than `widest` code points are cut and end in an ellipsis. Two blanks precede
// each column.
std::string FormatTable(const std::vector<std::vector<std::string>>& rows,
                        size_t widest = 60);

// A bar of round(value / most * width) blocks: at least one for a value above
// 0, at most `width`.
std::string FormatBar(uint64_t value, uint64_t most, size_t width = 40);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_TERMINAL_TEXT_H_
