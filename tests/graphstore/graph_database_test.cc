#include "graphstore/graph_database.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "rocksdb/db.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

uint64_t BytesInMemory(const GraphDatabase& database, GraphFamily family) {
  uint64_t bytes = 0;
  EXPECT_TRUE(database.db()->GetIntProperty(
      database.handle(family), rocksdb::DB::Properties::kCurSizeAllMemTables,
      &bytes));
  return bytes;
}

TEST(GraphDatabaseTest, FlushSoonFreesTheMemoryOfRecords) {
  constexpr size_t kBytes = 4 << 20;
  const TempDirectory directory;
  auto opened = GraphDatabase::Open({.directory = directory / "graph"});
  ASSERT_TRUE(opened.ok()) << opened.status();
  const GraphDatabase& database = **opened;
  const std::string value(kBytes, 'x');
  ASSERT_TRUE(database.db()
                  ->Put({}, database.handle(GraphFamily::kDelta), "key", value)
                  .ok());
  ASSERT_GE(BytesInMemory(database, GraphFamily::kDelta), kBytes);
  database.FlushSoon(GraphFamily::kDelta);
  const absl::Time deadline = absl::Now() + absl::Seconds(30);
  while (BytesInMemory(database, GraphFamily::kDelta) >= kBytes &&
         absl::Now() < deadline) {
    absl::SleepFor(absl::Milliseconds(10));
  }
  EXPECT_LT(BytesInMemory(database, GraphFamily::kDelta), kBytes);
  const auto read = database.Get(GraphFamily::kDelta, "key");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, value);
}

}  // namespace
}  // namespace slice
