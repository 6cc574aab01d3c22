// The style sheet of report pages and of the charts in them.
#ifndef SLICE_COMMON_PAGE_PAGE_STYLE_H_
#define SLICE_COMMON_PAGE_PAGE_STYLE_H_

#include <string_view>

namespace slice {

// CSS; the series colours are told apart with the common colour-vision
// deficiencies, on light and dark.
std::string_view ReportStyleSheet();

}  // namespace slice

#endif  // SLICE_COMMON_PAGE_PAGE_STYLE_H_
