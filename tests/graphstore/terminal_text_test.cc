#include "graphstore/terminal_text.h"

#include "gtest/gtest.h"

namespace slice {
namespace {

TEST(TextTableTest, AlignsByCodePoints) {
  EXPECT_EQ(FormatTable({{"name", ">links"}, {"caf\u00e9", "12"}, {"a", "3"}}),
            "  name  links\n"
            "  caf\u00e9     12\n"
            "  a         3\n");
}

TEST(TextTableTest, CutsLongCells) {
  EXPECT_EQ(FormatTable({{"n"}, {"\u00e9\u00e9\u00e9\u00e9\u00e9"}}, 3),
            "  n\n  \u00e9\u00e9\u2026\n");
}

TEST(TextTableTest, NoRowsNoText) { EXPECT_EQ(FormatTable({}), ""); }

TEST(FormatBarTest, IsInProportion) {
  EXPECT_EQ(FormatBar(10, 10, 4), "\u2588\u2588\u2588\u2588");
  EXPECT_EQ(FormatBar(5, 10, 4), "\u2588\u2588");
  EXPECT_EQ(FormatBar(1, 1000, 4), "\u2588");
  EXPECT_EQ(FormatBar(0, 10, 4), "");
}

}  // namespace
}  // namespace slice
