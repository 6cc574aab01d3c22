#include "client/text_table.h"

#include "gtest/gtest.h"

namespace slice {
namespace {

TextTable Example() {
  TextTable table({{"name"}, {"links", true}, {"type"}});
  table.AddRow({{"curl"}, {"12"}, {"package"}});
  table.AddRow({{"日本"}, {"3456"}, {"place"}});
  return table;
}

TEST(TextTableTest, AlignsColumnsByDisplayWidth) {
  EXPECT_EQ(Example().Draw(TextStyle{}, 0),
            "name  links  type\n"
            "curl     12  package\n"
            "日本   3456  place\n");
}

TEST(TextTableTest, IndentsAndLeavesNoTrailingBlanks) {
  TextTable table({{""}, {""}});
  table.AddRow({{"a"}, {""}});
  table.AddRow({{"long"}, {"b"}});
  EXPECT_EQ(table.Draw(TextStyle{}, 2),
            "  a\n"
            "  long  b\n");
}

TEST(TextTableTest, CutsTheWidestTextColumnToTheTerminal) {
  TextTable table({{"name"}, {"links", true}});
  table.AddRow({{"a name of many words"}, {"1234567890123"}});
  TextStyle style;
  style.width = 30;
  EXPECT_EQ(table.Draw(style, 0),
            "name                     links\n"
            "a name of many…  1234567890123\n");
}

TEST(TextTableTest, PaintsWithoutMovingColumns) {
  TextTable table({{""}, {""}});
  table.AddRow({{"a", TextColor::kBold}, {"b"}});
  table.AddRow({{"ccc"}, {"d"}});
  TextStyle style;
  style.color = true;
  EXPECT_EQ(table.Draw(style, 0),
            "\x1b[1ma\x1b[0m    b\n"
            "ccc  d\n");
}

TEST(TextTableTest, SeparatesByTabsForPrograms) {
  EXPECT_EQ(Example().TabSeparated(), "curl\t12\tpackage\n日本\t3456\tplace\n");
}

TEST(TextTableTest, KeepsATabInsideANameFromBreakingTheRow) {
  TextTable table({{""}, {""}});
  table.AddRow({{"a\tb"}, {"c"}});
  EXPECT_EQ(table.TabSeparated(), "a\uFFFDb\tc\n");
}

}  // namespace
}  // namespace slice
