#include "server/models/served_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "common/files.h"
#include "graphstore/change_log.h"
#include "graphstore/rocksdb_graph_store.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class ServedGraphTest : public ::testing::Test {
 protected:
  ServedGraphTest() {
    const auto store =
        *RocksDbGraphStore::Open({.directory = directory_ / "bundle"});
    EXPECT_TRUE(store->BulkLoad(ToyGraph(), "").ok());
    EXPECT_TRUE(store->ExportSsts(ssts_).ok());
  }

  absl::StatusOr<std::unique_ptr<RocksDbGraphStore>> Open() const {
    return OpenServedGraph(place_, ssts_);
  }
  void Append(RocksDbGraphStore& store, uint64_t version,
              const std::string& key) const {
    ChangeLog log = *store.OpenChangeLog();
    const LoggedChanges records[] = {
        {version, {.added_nodes = {{key, key, 0}}}}};
    EXPECT_TRUE(log.Append(records).ok());
  }
  // The version that is served.
  uint64_t Version() const {
    const auto store = Open();
    EXPECT_TRUE(store.ok()) << store.status();
    return store.ok() ? (*store)->OpenChangeLog()->last_version() : 0;
  }

  const TempDirectory directory_;
  const fs::path ssts_ = directory_ / "ssts";
  const fs::path place_ = directory_ / "graphs/digest";
};

// Between its two renames a restore leaves no graph in the place, and the one
// that it replaces beside it.
TEST_F(ServedGraphTest, IsServedAsItWasWhenARestoreWasInterrupted) {
  Append(**Open(), 1, "acknowledged");
  fs::rename(place_, place_.string() + ".old");
  fs::create_directory(place_.string() + ".partial");
  EXPECT_EQ(Version(), 1);
  EXPECT_FALSE(fs::exists(place_.string() + ".old"));
}

TEST_F(ServedGraphTest, IsNotReplacedByAnOlderOneBesideIt) {
  Append(**Open(), 1, "acknowledged");
  fs::copy(place_, place_.string() + ".old");
  Append(**Open(), 2, "later");
  EXPECT_EQ(Version(), 2);
  EXPECT_TRUE(fs::exists(place_.string() + ".old"));
}

// Its changes are gone from the bundle's graph.
TEST_F(ServedGraphTest, IsNotBuiltAgainWhenAcknowledgedChangesAreDamaged) {
  Append(**Open(), 1, "in a table");
  {
    const auto store = Open();
    Append(**store, 2, "damaged");
    Append(**store, 3, "later");
  }
  for (const auto& file : fs::directory_iterator(place_)) {
    if (file.path().extension() != ".log") continue;
    std::string bytes = *ReadFile(file.path());
    const size_t at = bytes.find("damaged");
    if (at == std::string::npos) continue;
    bytes[at] ^= 1;
    ASSERT_TRUE(WriteFileAtomically(file.path(), bytes).ok());
  }
  const absl::Status refused = Open().status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kDataLoss) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("slice-graph restore"));
  EXPECT_TRUE(fs::exists(place_ / "CURRENT"));
  EXPECT_FALSE(fs::exists(place_.string() + ".damaged-1"));
}

}  // namespace
}  // namespace slice
