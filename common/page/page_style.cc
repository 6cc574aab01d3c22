#include "common/page/page_style.h"

// The bytes of common/page/page_style.css (cmake/SliceEmbed.cmake).
extern "C" const char slice_page_style_begin[], slice_page_style_end[];

namespace slice {

std::string_view ReportStyleSheet() {
  return {slice_page_style_begin, slice_page_style_end};
}

}  // namespace slice
