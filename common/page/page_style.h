// The style sheet of report pages and of the charts in them.
#ifndef SLICE_COMMON_PAGE_PAGE_STYLE_H_
#define SLICE_COMMON_PAGE_PAGE_STYLE_H_

#include <string_view>

namespace slice {

// The CSS text. Readers with the common colour-vision deficiencies can tell the
// colours of the series apart, on light pages and on dark ones.
std::string_view ReportStyleSheet();

}  // namespace slice

#endif  // SLICE_COMMON_PAGE_PAGE_STYLE_H_
