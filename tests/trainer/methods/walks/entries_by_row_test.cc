#include "trainer/methods/walks/entries_by_row.h"

#include <vector>

#include "gmock/gmock.h"
#include "graphstore/types.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(EntriesByRowTest, RowsAndTheirEntriesAscend) {
  const EntriesByRow by_row(std::vector<uint32_t>{4, 1, 4, 0, 1, 4}, 6);
  EXPECT_THAT(by_row.rows, ElementsAre(0, 1, 4));
  EXPECT_THAT(by_row.Of(0), ElementsAre(3));
  EXPECT_THAT(by_row.Of(1), ElementsAre(1, 4));
  EXPECT_THAT(by_row.Of(2), ElementsAre(0, 2, 5));
}

TEST(EntriesByRowTest, AnEntryWithoutARowIsLeftOut) {
  const EntriesByRow by_row(std::vector<uint32_t>{2, kNoNode, 0, kNoNode, 2},
                            3);
  EXPECT_THAT(by_row.rows, ElementsAre(0, 2));
  EXPECT_THAT(by_row.Of(0), ElementsAre(2));
  EXPECT_THAT(by_row.Of(1), ElementsAre(0, 4));
}

TEST(EntriesByRowTest, NoEntriesHaveNoRows) {
  EXPECT_THAT(EntriesByRow({}, 3).rows, IsEmpty());
  EXPECT_THAT(EntriesByRow(std::vector<uint32_t>{kNoNode}, 3).rows, IsEmpty());
}

}  // namespace
}  // namespace slice
