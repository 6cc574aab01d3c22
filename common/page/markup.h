// Text within HTML and SVG.
#ifndef SLICE_COMMON_PAGE_MARKUP_H_
#define SLICE_COMMON_PAGE_MARKUP_H_

#include <string>
#include <string_view>

namespace slice {

// `text` made safe for the content and the attributes of HTML and SVG elements.
std::string EscapeMarkup(std::string_view text);

}  // namespace slice

#endif  // SLICE_COMMON_PAGE_MARKUP_H_
