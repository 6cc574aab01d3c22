#include "graphstore/change_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/sha256.h"
#include "graphstore/graph_database.h"
#include "graphstore/rocksdb_graph_store.h"
#include "rocksdb/db.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ChangeLogTest : public ::testing::Test {
 protected:
  ChangeLogTest() {
    EXPECT_TRUE(Store()->BulkLoad(ToyGraph(), "").ok());
    digest_ = Store()->Metadata()->graph_digest;
  }

  std::unique_ptr<RocksDbGraphStore> Store() const {
    auto store = RocksDbGraphStore::Open({.directory = directory_ / "graph"});
    EXPECT_TRUE(store.ok()) << store.status();
    return *std::move(store);
  }

  static std::vector<std::string> ChangesAfter(const ChangeLog& log,
                                               uint64_t version) {
    std::vector<std::string> changes;
    const absl::Status status =
        log.Replay(version, [&](const LoggedChanges& record) {
          changes.push_back(record.changes);
          return absl::OkStatus();
        });
    EXPECT_TRUE(status.ok()) << status;
    return changes;
  }

  // Writes to a record behind the back of the store.
  void Overwrite(const std::string& key, const std::string& value) const {
    const auto database =
        *GraphDatabase::Open({.directory = directory_ / "graph"});
    rocksdb::ColumnFamilyHandle* const delta =
        database->handle(GraphFamily::kDelta);
    const rocksdb::Status status =
        value.empty() ? database->db()->Delete({}, delta, key)
                      : database->db()->Put({}, delta, key, value);
    EXPECT_TRUE(status.ok());
  }
  static std::string KeyOf(uint8_t version) {
    return "c" + std::string(7, '\0') + static_cast<char>(version);
  }

  const TempDirectory directory_;
  std::string digest_;
};

TEST_F(ChangeLogTest, IsThereAgainAfterARestart) {
  {
    const auto store = Store();
    ChangeLog log = *store->OpenChangeLog();
    EXPECT_EQ(log.last_version(), 0);
    EXPECT_EQ(log.state_digest(), digest_);
    const LoggedChanges first[] = {{1, "a", 1, "one"}, {2, "", 0, "two"}};
    ASSERT_TRUE(log.Append(first).ok());
    const LoggedChanges second[] = {{3, "a", 2, std::string("\0x\0", 3)}};
    ASSERT_TRUE(log.Append(second).ok());
  }
  const auto store = Store();
  const ChangeLog log = *store->OpenChangeLog();
  EXPECT_EQ(log.last_version(), 3);
  EXPECT_EQ(log.LastSequence("a"), 2);
  EXPECT_EQ(log.LastSequence("b"), 0);
  EXPECT_THAT(ChangesAfter(log, 0),
              ElementsAre("one", "two", std::string("\0x\0", 3)));
  EXPECT_THAT(ChangesAfter(log, 2), ElementsAre(std::string("\0x\0", 3)));
  const auto found = *log.Find("a", 1);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->version, 1);
  EXPECT_EQ(found->changes, "one");
  EXPECT_FALSE((*log.Find("a", 3)).has_value());
}

TEST_F(ChangeLogTest, ChainsTheDigests) {
  const auto store = Store();
  ChangeLog log = *store->OpenChangeLog();
  const LoggedChanges records[] = {{1, "", 0, "one"}, {2, "", 0, "two"}};
  ASSERT_TRUE(log.Append(records).ok());
  const std::string first = Sha256Bytes(digest_ + "one");
  EXPECT_EQ(log.state_digest(), Sha256Bytes(first + "two"));
  const auto verified = store->Verify();
  ASSERT_TRUE(verified.ok()) << verified.status();
  EXPECT_TRUE(verified->ok());
  EXPECT_EQ(verified->graph_version, 2);
  EXPECT_EQ(verified->state_digest, log.state_digest());
}

TEST_F(ChangeLogTest, KeepsOlderProgramsAway) {
  const auto store = Store();
  EXPECT_EQ(store->Metadata()->format_version, 1);
  ChangeLog log = *store->OpenChangeLog();
  EXPECT_EQ(store->Metadata()->format_version, 1);
  const LoggedChanges records[] = {{1, "", 0, "one"}};
  ASSERT_TRUE(log.Append(records).ok());
  EXPECT_EQ(store->Metadata()->format_version, 3);
  EXPECT_EQ(store->Metadata()->graph_digest, digest_);
}

TEST_F(ChangeLogTest, FindsWhatWasChangedInIt) {
  std::string third;
  {
    const auto store = Store();
    ChangeLog log = *store->OpenChangeLog();
    const LoggedChanges records[] = {
        {1, "", 0, "one"}, {2, "", 0, "two"}, {3, "", 0, "three"}};
    ASSERT_TRUE(log.Append(records).ok());
    third = log.state_digest() + std::string(16, '\0') + "THREE";
  }
  Overwrite(KeyOf(3), third);
  {
    const auto store = Store();
    const ChangeLog log = *store->OpenChangeLog();
    const absl::Status status =
        log.Replay(0, [](const LoggedChanges&) { return absl::OkStatus(); });
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("the digest of version 3 does not follow"));
    const auto verified = store->Verify();
    ASSERT_TRUE(verified.ok());
    EXPECT_EQ(verified->problem_count, 1);
  }
  Overwrite(KeyOf(2), "torn");
  EXPECT_THAT(std::string(Store()->OpenChangeLog().status().message()),
              HasSubstr("no whole record of version 2"));
  Overwrite(KeyOf(2), "");
  const auto lost = Store()->OpenChangeLog();
  EXPECT_EQ(lost.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(lost.status().message()),
              HasSubstr("restore the directory from a backup"));
}

}  // namespace
}  // namespace slice
