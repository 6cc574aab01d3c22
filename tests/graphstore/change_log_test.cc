#include "graphstore/change_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "common/files.h"
#include "common/random.h"
#include "common/sha256.h"
#include "graphstore/change_record.h"
#include "graphstore/graph_database.h"
#include "graphstore/graph_difference.h"
#include "graphstore/rocksdb_graph_store.h"
#include "rocksdb/db.h"
#include "tests/testing/random_history.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

GraphChanges AddNode(const std::string& key) {
  return {.added_nodes = {{key, key, 0}}};
}

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

  // The first node of each change.
  static std::vector<std::string> ChangesOf(const ChangeLog& log) {
    std::vector<std::string> changes;
    const absl::Status status =
        log.Replay([&](uint64_t, const GraphChanges& change) {
          changes.push_back(change.added_nodes.front().key);
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
  // Appends a version for each key, one after the other.
  void AppendEach(const std::vector<std::string>& keys) const {
    const auto store = Store();
    ChangeLog log = *store->OpenChangeLog();
    for (const std::string& key : keys) {
      const LoggedChanges record[] = {{log.last_version() + 1, AddNode(key)}};
      EXPECT_TRUE(log.Append(record).ok());
    }
  }
  // Where RocksDB keeps what is in no table yet.
  std::filesystem::path WriteAheadLog() const {
    for (const auto& file :
         std::filesystem::directory_iterator(directory_ / "graph")) {
      if (file.path().extension() == ".log" && file.file_size() > 0)
        return file.path();
    }
    ADD_FAILURE() << "there is no log";
    return {};
  }
  static std::string KeyOf(uint8_t version) {
    return "c" + std::string(7, '\0') + static_cast<char>(version);
  }

  const TempDirectory directory_;
  std::string digest_;
};

TEST_F(ChangeLogTest, AcknowledgesNothingOnceItsDirectoryIsRemoved) {
  const auto store = Store();
  ChangeLog log = *store->OpenChangeLog();
  const LoggedChanges first[] = {{1, AddNode("one"), "a", 1, 77}};
  ASSERT_TRUE(log.Append(first).ok());
  std::filesystem::remove_all(directory_ / "graph");
  const LoggedChanges second[] = {{2, AddNode("two"), "a", 2, 78}};
  const absl::Status refused = log.Append(second);
  EXPECT_EQ(refused.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("was removed"));
}

// RocksDB would take the versions before it, and drop those after it.
TEST_F(ChangeLogTest, ADamagedRecordIsNotPassedOver) {
  AppendEach({"one", "two", "three"});
  const std::filesystem::path path = WriteAheadLog();
  const std::string whole = *ReadFile(path);
  std::string damaged = whole;
  damaged[damaged.find("two")] ^= 1;
  ASSERT_TRUE(WriteFileAtomically(path, damaged).ok());
  for (const bool read_only : {true, false}) {
    const absl::Status refused =
        RocksDbGraphStore::Open(
            {.directory = directory_ / "graph", .read_only = read_only})
            .status();
    EXPECT_EQ(refused.code(), absl::StatusCode::kDataLoss) << refused;
    EXPECT_THAT(std::string(refused.message()),
                HasSubstr("slice-graph restore"));
  }
  EXPECT_EQ(*ReadFile(path), damaged);
  ASSERT_TRUE(WriteFileAtomically(path, whole).ok());
  EXPECT_EQ(Store()->OpenChangeLog()->last_version(), 3);
}

TEST_F(ChangeLogTest, ARecordThatWasNotWrittenToItsEndIsDropped) {
  AppendEach({"one", "two", "three"});
  const std::filesystem::path path = WriteAheadLog();
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 5);
  EXPECT_EQ(Store()->OpenChangeLog()->last_version(), 2);
  AppendEach({"another"});
  const auto store = Store();
  EXPECT_THAT(ChangesOf(*store->OpenChangeLog()),
              ElementsAre("one", "two", "another"));
}

TEST_F(ChangeLogTest, IsThereAgainAfterARestart) {
  {
    const auto store = Store();
    ChangeLog log = *store->OpenChangeLog();
    EXPECT_EQ(log.last_version(), 0);
    EXPECT_EQ(log.state_digest(), digest_);
    const LoggedChanges first[] = {{1, AddNode("one"), "a", 1, 77},
                                   {2, AddNode("two")}};
    ASSERT_TRUE(log.Append(first).ok());
    const LoggedChanges second[] = {{3, AddNode("three"), "a", 2, 78}};
    ASSERT_TRUE(log.Append(second).ok());
  }
  const auto store = Store();
  const ChangeLog log = *store->OpenChangeLog();
  EXPECT_EQ(log.last_version(), 3);
  EXPECT_EQ(log.LastSequence("a"), 2);
  EXPECT_EQ(log.LastSequence("b"), 0);
  EXPECT_THAT(ChangesOf(log), ElementsAre("one", "two", "three"));
  const auto found = *log.Find("a", 1);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->version, 1);
  EXPECT_EQ(found->request_hash, 77);
  EXPECT_FALSE((*log.Find("a", 3)).has_value());
}

TEST_F(ChangeLogTest, ChainsTheDigests) {
  const auto store = Store();
  ChangeLog log = *store->OpenChangeLog();
  const LoggedChanges records[] = {{1, AddNode("one")}, {2, AddNode("two")}};
  ASSERT_TRUE(log.Append(records).ok());
  const std::string first =
      Sha256Bytes(digest_ + EncodeChanges(AddNode("one")));
  EXPECT_EQ(log.state_digest(),
            Sha256Bytes(first + EncodeChanges(AddNode("two"))));
  EXPECT_EQ(*log.DigestAt(0), digest_);
  EXPECT_EQ(*log.DigestAt(1), first);
  EXPECT_EQ(*log.DigestAt(2), log.state_digest());
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
  const LoggedChanges records[] = {{1, AddNode("one")}};
  ASSERT_TRUE(log.Append(records).ok());
  EXPECT_EQ(store->Metadata()->format_version, 3);
  EXPECT_EQ(store->Metadata()->graph_digest, digest_);
}

TEST_F(ChangeLogTest, GivesTheGraphOfEachVersion) {
  const auto store = Store();
  const auto nodes = (*store->BuildSnapshot())->node_count();
  ChangeLog log = *store->OpenChangeLog();
  const LoggedChanges records[] = {{1, AddNode("one")}, {2, AddNode("two")}};
  ASSERT_TRUE(log.Append(records).ok());
  for (uint64_t version = 0; version <= 2; ++version) {
    const auto graph = store->GraphAt(version);
    ASSERT_TRUE(graph.ok()) << graph.status();
    EXPECT_EQ((*graph)->graph_version(), version);
    EXPECT_EQ((*graph)->node_count(), nodes + version);
  }
  EXPECT_EQ((*store->GraphAt())->graph_version(), 2);
  const auto unknown = store->GraphAt(3);
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(std::string(unknown.status().message()),
              HasSubstr("has the versions 0 to 2, not 3"));
}

// Histories with summaries at random places: graph, digest and numbers of
// writers are what they would be without, also after a restart.
class SummaryTest : public ChangeLogTest,
                    public ::testing::WithParamInterface<uint64_t> {};

TEST_P(SummaryTest, StandsForTheRecordsBeforeIt) {
  auto store = Store();
  const auto base = *store->BuildSnapshot();
  RandomHistory history(ToyGraph(), GetParam());
  Random random(GetParam());
  ChangeLog log = *store->OpenChangeLog();
  auto graph = base;
  uint64_t summarized = 0;
  std::string digest = digest_;
  for (uint64_t version = 1; version <= 60; ++version) {
    const LoggedChanges record = {version, history.Next(8), "writer", version,
                                  random()};
    graph = *graph->Apply(record.changes, version);
    digest = Sha256Bytes(digest + EncodeChanges(record.changes));
    ASSERT_TRUE(log.Append(std::span(&record, 1)).ok());
    if (random.Below(6) == 0) {
      ASSERT_TRUE(
          log.Summarize({version, digest, *ChangesBetween(*base, *graph)})
              .ok());
      summarized = version;
    }
    if (random.Below(6) == 0) {
      log = *store->OpenChangeLog();
    }
    EXPECT_EQ(log.first_version(), summarized);
    EXPECT_EQ(log.last_version(), version);
    EXPECT_EQ(log.state_digest(), digest);
    EXPECT_EQ(log.LastSequence("writer"), version);
    const auto last = *log.Find("writer", version);
    ASSERT_TRUE(last.has_value());
    EXPECT_EQ(last->request_hash, record.request_hash);
    const auto again = log.GraphAt(base);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(GraphDigest((*again)->Data()), GraphDigest(graph->Data()));
  }
  ASSERT_GT(summarized, 0u);
  EXPECT_EQ(log.GraphAt(base, summarized - 1).status().code(),
            absl::StatusCode::kOutOfRange);
  const auto verified = store->Verify();
  ASSERT_TRUE(verified.ok()) << verified.status();
  EXPECT_TRUE(verified->ok());
}

INSTANTIATE_TEST_SUITE_P(Seeds, SummaryTest, ::testing::Range<uint64_t>(0, 6));

TEST_F(ChangeLogTest, FindsWhatWasChangedInIt) {
  std::string third;
  {
    const auto store = Store();
    ChangeLog log = *store->OpenChangeLog();
    const LoggedChanges records[] = {
        {1, AddNode("one")}, {2, AddNode("two")}, {3, AddNode("three")}};
    ASSERT_TRUE(log.Append(records).ok());
    third = log.state_digest() + EncodeChanges(AddNode("THREE"));
  }
  Overwrite(KeyOf(3), third);
  const auto replayed = [&] {
    const auto store = Store();
    const ChangeLog log = *store->OpenChangeLog();
    return log.Replay(
        [](uint64_t, const GraphChanges&) { return absl::OkStatus(); });
  };
  EXPECT_EQ(replayed().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(replayed().message()),
              HasSubstr("the digest of version 3 does not follow"));
  EXPECT_EQ(Store()->Verify()->problem_count, 1);
  Overwrite(KeyOf(2), "torn");
  EXPECT_THAT(std::string(replayed().message()),
              HasSubstr("the digest of version 2 does not follow"));
  Overwrite(KeyOf(2), "");
  EXPECT_THAT(std::string(replayed().message()),
              HasSubstr("version 2 is missing; restore the directory from a "
                        "backup"));
  Overwrite(KeyOf(3), "torn");
  EXPECT_THAT(std::string(Store()->OpenChangeLog().status().message()),
              HasSubstr("its last record is not whole"));
}

}  // namespace
}  // namespace slice
