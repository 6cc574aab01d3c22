#include "common/page/html_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slice {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(HtmlPageTest, FramesTheBodyAndEscapesTheTitle) {
  const std::string page = HtmlPage("a <b>", "<h1>c</h1>");
  EXPECT_THAT(page, StartsWith("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("<title>a &lt;b&gt;</title>"));
  EXPECT_THAT(page, HasSubstr("<main>\n<h1>c</h1></main>"));
  EXPECT_THAT(page, EndsWith("</html>\n"));
}

TEST(HtmlPageTest, AWideTableCanBeScrolledByKeyboardAndHasAName) {
  EXPECT_EQ(WideTable("of \"x\"", "<tr></tr>", "dense"),
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
            "aria-label=\"of &quot;x&quot;\"><table class=\"dense\"><tr></tr>"
            "</table></div>");
}

}  // namespace
}  // namespace slice
