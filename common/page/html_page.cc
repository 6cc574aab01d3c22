#include "common/page/html_page.h"

#include "absl/strings/str_cat.h"
#include "common/page/markup.h"
#include "common/page/page_style.h"

namespace slice {

std::string HtmlPage(std::string_view title, std::string_view body) {
  return absl::StrCat(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>",
      EscapeMarkup(title), "</title>\n<style>", std::string(ReportStyleSheet()),
      "</style>\n</head>\n<body>\n<main>\n",
      absl::StrCat(std::string(body), "</main>\n</body>\n</html>\n"));
}

std::string ScrollRegion(std::string_view name, std::string_view content) {
  return absl::StrCat(
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"",
      EscapeMarkup(name), "\">", std::string(content), "</div>");
}

std::string WideTable(std::string_view name, std::string_view rows,
                      std::string_view style) {
  return ScrollRegion(name, absl::StrCat("<table class=\"", std::string(style),
                                         "\">", std::string(rows), "</table>"));
}

}  // namespace slice
