#include "common/text_width.h"

#include "gtest/gtest.h"

namespace slice {
namespace {

TEST(TextWidthTest, CountsWideAndCombiningCharacters) {
  EXPECT_EQ(DisplayWidth("curl"), 4);
  EXPECT_EQ(DisplayWidth("Zürich"), 6);
  EXPECT_EQ(DisplayWidth("u\u0308"), 1);
  EXPECT_EQ(DisplayWidth("日本"), 4);
  EXPECT_EQ(DisplayWidth("😀"), 2);
  EXPECT_EQ(DisplayWidth("── ▶"), 4);
}

TEST(TextWidthTest, FindsWhereUtf8Breaks) {
  EXPECT_EQ(ValidUtf8Prefix("Zürich"), 7);
  EXPECT_EQ(ValidUtf8Prefix("a\xFFz"), 1);
  EXPECT_EQ(ValidUtf8Prefix("a\xC3"), 1);             // cut short
  EXPECT_EQ(ValidUtf8Prefix("\xC0\xAF"), 0);          // overlong
  EXPECT_EQ(ValidUtf8Prefix("\xE0\x80\xAF"), 0);      // overlong
  EXPECT_EQ(ValidUtf8Prefix("\xED\xA0\x80"), 0);      // surrogate
  EXPECT_EQ(ValidUtf8Prefix("\xF4\x90\x80\x80"), 0);  // beyond U+10FFFF
  EXPECT_EQ(ValidUtf8Prefix("\xF0\x9F\x98\x80!"), 5);
}

TEST(TextWidthTest, ReplacesWhatWouldDriveATerminal) {
  EXPECT_EQ(Printable("a\x1b[31mb", "?"), "a?[31mb");
  EXPECT_EQ(Printable("tab\there\n", "?"), "tab?here?");
  EXPECT_EQ(Printable("\xC2\x9B", "?"), "?");    // C1 control
  EXPECT_EQ(Printable("a\u202Eb", "?"), "a?b");  // right-to-left override
  EXPECT_EQ(Printable("a\xFFz", "?"), "a?z");
  EXPECT_EQ(Printable("Zürich", "?"), "Zürich");
}

TEST(TextWidthTest, CutsAtWholeCharacters) {
  EXPECT_EQ(CutToWidth("curl", 4, "…"), "curl");
  EXPECT_EQ(CutToWidth("libcurl4", 5, "…"), "libc…");
  EXPECT_EQ(CutToWidth("日本語", 4, "~"), "日~");
  EXPECT_EQ(CutToWidth("日本語", 5, "~"), "日本~");
}

}  // namespace
}  // namespace slice
