#include "client/text_style.h"

#include <cmath>

#include "common/text_width.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

TEST(TextStyleTest, PaintsOnlyWithColour) {
  TextStyle style;
  EXPECT_EQ(style.Paint(TextColor::kBold, "x"), "x");
  style.color = true;
  EXPECT_EQ(style.Paint(TextColor::kBold, "x"), "\x1b[1mx\x1b[0m");
  EXPECT_EQ(style.Paint(TextColor::kPlain, "x"), "x");
}

TEST(TextStyleTest, DrawsBarsInEighths) {
  const TextStyle style;
  EXPECT_EQ(style.Bar(0.5, 4, false), "██");
  EXPECT_EQ(style.Bar(0.53125, 4, false), "██▏");
  EXPECT_EQ(style.Bar(0.5, 4, true), "██░░");
  EXPECT_EQ(style.Bar(1, 4, true), "████");
}

TEST(TextStyleTest, DrawsBarsInAscii) {
  TextStyle style;
  style.unicode = false;
  EXPECT_EQ(style.Bar(0.5, 4, true), "##..");
  EXPECT_EQ(style.Bar(0.625, 4, true), "###.");
}

TEST(TextStyleTest, ClampsBars) {
  const TextStyle style;
  EXPECT_EQ(style.Bar(7, 2, true), "██");
  EXPECT_EQ(style.Bar(-7, 2, true), "░░");
  EXPECT_EQ(style.Bar(std::nan(""), 2, true), "░░");
}

TEST(TextStyleTest, EveryGlyphIsOneColumnWide) {
  for (const bool unicode : {true, false}) {
    TextStyle style;
    style.unicode = unicode;
    const Glyphs& glyphs = style.glyphs();
    for (const char* glyph :
         {glyphs.source, glyphs.target, glyphs.between, glyphs.branch,
          glyphs.last_branch, glyphs.vertical, glyphs.horizontal,
          glyphs.to_right, glyphs.to_left, glyphs.ellipsis, glyphs.replacement,
          glyphs.bar_track})
      EXPECT_EQ(DisplayWidth(glyph), 1) << glyph;
    for (const char* cell : glyphs.bar_cells)
      EXPECT_EQ(DisplayWidth(cell), 1) << cell;
  }
}

TEST(TextStyleTest, CountsAreGroupedForPersonsAlone) {
  TextStyle style;
  EXPECT_EQ(style.Count(1234567), "1234567");
  style.terminal = true;
  EXPECT_EQ(style.Count(1234567), "1,234,567");
  EXPECT_EQ(style.Count(12), "12");
}

}  // namespace
}  // namespace slice
