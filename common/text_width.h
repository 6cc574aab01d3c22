// UTF-8 text for a terminal: its validity and width, and the replacement of
// characters that would drive the terminal.
#ifndef SLICE_COMMON_TEXT_WIDTH_H_
#define SLICE_COMMON_TEXT_WIDTH_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace slice {

// The length in bytes of the longest prefix that is valid UTF-8.
size_t ValidUtf8Prefix(std::string_view text);

// The columns `text` takes: 2 for wide East Asian characters and emoji, 0 for
// combining marks, 1 for the rest. REQUIRES: valid UTF-8.
size_t DisplayWidth(std::string_view text);

// `text` with control characters (escape sequences among them) and invalid
// bytes replaced by `replacement`, so that a name cannot drive the terminal.
std::string Printable(std::string_view text, std::string_view replacement);

// `text` cut to at most `width` columns, ending in `ellipsis` when cut.
// REQUIRES: valid UTF-8; DisplayWidth(ellipsis) <= width.
std::string CutToWidth(std::string_view text, size_t width,
                       std::string_view ellipsis);

}  // namespace slice

#endif  // SLICE_COMMON_TEXT_WIDTH_H_
