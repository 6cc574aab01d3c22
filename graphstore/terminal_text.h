// Plain text for terminals: aligned columns, bars and readable numbers.
#ifndef SLICE_GRAPHSTORE_TERMINAL_TEXT_H_
#define SLICE_GRAPHSTORE_TERMINAL_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slice {

// Rows of cells, the first row being the header. Columns whose header starts
// with ">" (which is not shown) are aligned to the right; cells longer than
// `widest` code points are cut with an ellipsis. Two blanks stand before and
// between columns.
std::string FormatTable(const std::vector<std::vector<std::string>>& rows,
                        size_t widest = 60);

// A bar of blocks in proportion to value / most, at most `width` long; any
// value above 0 shows.
std::string FormatBar(uint64_t value, uint64_t most, size_t width = 40);

// "1,234,567".
std::string FormatCount(uint64_t count);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_TERMINAL_TEXT_H_
