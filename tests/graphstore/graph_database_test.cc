#include "graphstore/graph_database.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

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

TEST(GraphDatabaseTest, FlushFreesTheMemoryOfRecords) {
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
  database.Flush(GraphFamily::kDelta);
  EXPECT_LT(BytesInMemory(database, GraphFamily::kDelta), kBytes);
  const auto read = database.Get(GraphFamily::kDelta, "key");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, value);
}

std::set<std::string> FilesIn(const std::filesystem::path& directory) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    names.insert(entry.path().filename());
  return names;
}

// RocksDB aborts when it writes to a log of its own after the disk was full.
TEST(GraphDatabaseTest, KeepsNoLogOfWhatRocksDbSays) {
  const TempDirectory directory;
  ASSERT_TRUE(GraphDatabase::Open({.directory = directory / "graph"}).ok());
  const std::set<std::string> files = FilesIn(directory / "graph");
  EXPECT_FALSE(files.contains("LOG"));
  ASSERT_TRUE(
      GraphDatabase::Open({.directory = directory / "graph", .read_only = true})
          .ok());
  EXPECT_EQ(FilesIn(directory / "graph"), files);
}

TEST(GraphDatabaseTest, WhatRocksDbLeavesBeforeItIsCreatedIsNoForeignFile) {
  const TempDirectory directory;
  std::filesystem::create_directory(directory / "graph");
  directory.Write("graph/000000.dbtmp", "");
  directory.Write("graph/LOG", "of an older program");
  const auto opened = GraphDatabase::Open({.directory = directory / "graph"});
  EXPECT_TRUE(opened.ok()) << opened.status();
}

// RocksDB replaces its log after an error only if it has changes in memory.
TEST(GraphDatabaseTest, ChangesAreInMemoryBeforeTheLogIsWritten) {
  const TempDirectory directory;
  const auto opened = GraphDatabase::Open({.directory = directory / "graph"});
  ASSERT_TRUE(opened.ok()) << opened.status();
  const GraphDatabase& database = **opened;
  rocksdb::ColumnFamilyHandle* const delta =
      database.handle(GraphFamily::kDelta);
  const auto write = [&](const std::string& key, size_t bytes) {
    rocksdb::WriteBatch batch;
    batch.Put(delta, key, std::string(bytes, 'x'));
    return database.WriteDurably(batch);
  };
  const auto records_in_memory = [&] {
    uint64_t records = 0;
    EXPECT_TRUE(database.db()->GetIntProperty(
        delta, rocksdb::DB::Properties::kNumEntriesActiveMemTable, &records));
    return records;
  };
  ASSERT_TRUE(write("a", 1).ok());
  EXPECT_EQ(records_in_memory(), 2u);
  ASSERT_TRUE(write("b", 12 << 20).ok());
  EXPECT_EQ(records_in_memory(), 3u);
  ASSERT_TRUE(write("c", 1).ok());
  EXPECT_EQ(records_in_memory(), 2u);  // the others are in a table
  std::string keys;
  const absl::Status scanned = database.Scan(
      GraphFamily::kDelta, [&](std::string_view key, std::string_view) {
        keys += key;
        return true;
      });
  EXPECT_TRUE(scanned.ok()) << scanned;
  EXPECT_EQ(keys, "abc");
}

}  // namespace
}  // namespace slice
