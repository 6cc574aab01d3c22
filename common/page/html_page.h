// The frame of an HTML page that needs nothing but itself.
#ifndef SLICE_COMMON_PAGE_HTML_PAGE_H_
#define SLICE_COMMON_PAGE_HTML_PAGE_H_

#include <string>
#include <string_view>

namespace slice {

// A whole page in English, in the style of ReportStyleSheet. `title` is text;
// `body` is markup.
std::string HtmlPage(std::string_view title, std::string_view body);

// Content that scrolls sideways, by keyboard as well, where the page is too
// narrow for it, and says so there. `name` says to a screen reader what it is.
// `content` is markup.
std::string ScrollRegion(std::string_view name, std::string_view content);

// A table in such a region. `rows` is the markup within <table>; `style` is a
// class of the table, such as "dense", or empty.
std::string WideTable(std::string_view name, std::string_view rows,
                      std::string_view style = "");

}  // namespace slice

#endif  // SLICE_COMMON_PAGE_HTML_PAGE_H_
