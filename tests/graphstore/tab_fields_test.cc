#include "graphstore/tab_fields.h"

#include <array>
#include <string>
#include <vector>

#include "common/random.h"
#include "common/table/text_fields.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

TEST(TabFieldsTest, WhateverIsWrittenIsReadBack) {
  Random random(7);
  constexpr std::string_view kLetters = "a\", ";
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::string> texts(3);
    for (std::string& text : texts) {
      for (uint32_t i = random.Below(6); i > 0; --i)
        text += kLetters[random.Below(kLetters.size())];
    }
    std::string row;
    AppendTabFields(std::vector<std::string_view>(texts.begin(), texts.end()),
                    /*quote_all=*/round % 2 == 0, &row);
    FieldSplitter splitter({Separator::kTab, /*quoted=*/true});
    std::vector<TextField> fields;
    ASSERT_FALSE(splitter.Split(row, &fields).has_value()) << row;
    ASSERT_EQ(fields.size(), 3);
    for (size_t i = 0; i < 3; ++i) EXPECT_EQ(fields[i].text, texts[i]) << row;
  }
}

TEST(TabFieldsTest, OnlyFieldsThatNeedQuotesGetThem) {
  std::string row = "> ";
  AppendTabFields(std::array<std::string_view, 3>{"a b", "5\"", " \"c\""},
                  /*quote_all=*/false, &row);
  EXPECT_EQ(row, "> a b\t5\"\t\" \"\"c\"\"\"");
  row.clear();
  AppendTabFields(std::array<std::string_view, 3>{"#a", "#b", " #"},
                  /*quote_all=*/false, &row);
  EXPECT_EQ(row, "\"#a\"\t#b\t #");
}

TEST(TabFieldsTest, FloatsKeepTheirDigits) {
  std::string text;
  AppendFloat(16777215, &text);
  text += ' ';
  AppendFloat(0.1f, &text);
  EXPECT_EQ(text, "16777215 0.1");
}

}  // namespace
}  // namespace slice
