#include "common/page/markup.h"

#include "gtest/gtest.h"

namespace slice {
namespace {

TEST(MarkupTest, SpecialCharactersAreEscaped) {
  EXPECT_EQ(EscapeMarkup("a<b>&\"c\" 'd' é"),
            "a&lt;b&gt;&amp;&quot;c&quot; &#39;d&#39; é");
}

}  // namespace
}  // namespace slice
