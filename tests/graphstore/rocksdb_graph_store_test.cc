#include "graphstore/rocksdb_graph_store.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "common/files.h"
#include "common/sha256.h"
#include "gmock/gmock.h"
#include "graphstore/graph_database.h"
#include "graphstore/graph_records.h"
#include "gtest/gtest.h"
#include "rocksdb/db.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::unique_ptr<RocksDbGraphStore> OpenOrFail(
    const std::filesystem::path& directory, bool read_only = false) {
  auto store =
      RocksDbGraphStore::Open({.directory = directory, .read_only = read_only});
  EXPECT_TRUE(store.ok()) << store.status();
  return *std::move(store);
}

void FillWithToyGraph(const std::filesystem::path& directory) {
  const absl::Status status =
      OpenOrFail(directory)->BulkLoad(ToyGraph(), "split");
  ASSERT_TRUE(status.ok()) << status;
}

// Writes or, without a value, deletes one raw record of a closed store.
void ChangeRecord(const std::filesystem::path& directory, GraphFamily family,
                  const std::string& key, const std::string* value) {
  auto database = GraphDatabase::Open({.directory = directory});
  ASSERT_TRUE(database.ok()) << database.status();
  rocksdb::DB* db = (*database)->db();
  rocksdb::ColumnFamilyHandle* handle = (*database)->handle(family);
  const rocksdb::Status status =
      value != nullptr ? db->Put(rocksdb::WriteOptions(), handle, key, *value)
                       : db->Delete(rocksdb::WriteOptions(), handle, key);
  ASSERT_TRUE(status.ok()) << status.ToString();
}

std::string RawRecord(const std::filesystem::path& directory,
                      GraphFamily family, const std::string& key) {
  auto database = GraphDatabase::Open({.directory = directory});
  EXPECT_TRUE(database.ok()) << database.status();
  return (*database)->Get(family, key).value().value();
}

// Cuts the last byte off a record.
void TruncateRecord(const std::filesystem::path& directory, GraphFamily family,
                    const std::string& key) {
  std::string value = RawRecord(directory, family, key);
  value.pop_back();
  ChangeRecord(directory, family, key, &value);
}

TEST(RocksDbGraphStoreTest, KeepsTheGraphWhenReopened) {
  const TempDirectory directory;
  FillWithToyGraph(directory / "store");
  const auto store = OpenOrFail(directory / "store");
  EXPECT_EQ(store->Metadata()->graph_digest, GraphDigest(ToyGraph()));
  EXPECT_EQ(GraphDigest(*store->ReadAll()), GraphDigest(ToyGraph()));
}

TEST(RocksDbGraphStoreTest, MakesEveryColumnFamily) {
  const TempDirectory directory;
  FillWithToyGraph(directory / "store");
  std::vector<std::string> families;
  ASSERT_TRUE(rocksdb::DB::ListColumnFamilies(
                  {}, (directory / "store").string(), &families)
                  .ok());
  EXPECT_THAT(families,
              testing::UnorderedElementsAre("default", "meta", "node",
                                            "name2id", "adj", "edge", "delta"));
}

TEST(RocksDbGraphStoreTest, DirectoryInUseIsRefused) {
  const TempDirectory directory;
  const auto first = OpenOrFail(directory / "store");
  const auto second =
      RocksDbGraphStore::Open({.directory = directory / "store"});
  EXPECT_EQ(second.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(second.status().message()), HasSubstr("in use"));
}

// Another process that holds the lock of a store as RocksDB would, until this
// object is destroyed. The process only makes system calls, because nothing
// else is safe after a fork.
class LockHolder {
 public:
  explicit LockHolder(const std::filesystem::path& store) {
    const std::string lock_path = (store / "LOCK").string();
    int locked[2], release[2];
    EXPECT_EQ(::pipe(locked), 0);
    EXPECT_EQ(::pipe(release), 0);
    child_ = ::fork();
    if (child_ == 0) {
      ::close(release[1]);
      struct flock lock = {};
      lock.l_type = F_WRLCK;
      const int file = ::open(lock_path.c_str(), O_RDWR);
      char result = ::fcntl(file, F_SETLK, &lock) == 0 ? 'y' : 'n';
      if (::write(locked[1], &result, 1) != 1) ::_exit(1);
      ::_exit(static_cast<int>(::read(release[0], &result, 1)));
    }
    ::close(release[0]);
    ::close(locked[1]);
    release_ = release[1];
    char result = 'n';
    EXPECT_EQ(::read(locked[0], &result, 1), 1);
    EXPECT_EQ(result, 'y');
    ::close(locked[0]);
  }
  ~LockHolder() {
    ::close(release_);
    ::waitpid(child_, nullptr, 0);
  }

 private:
  pid_t child_ = -1;
  int release_ = -1;
};

TEST(RocksDbGraphStoreTest, DirectoryInUseByAnotherProcessIsRefused) {
  const TempDirectory directory;
  FillWithToyGraph(directory / "store");
  {
    const LockHolder holder(directory / "store");
    const auto store =
        RocksDbGraphStore::Open({.directory = directory / "store"});
    EXPECT_EQ(store.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(store.status().message()),
                HasSubstr("in use by another process"));
  }
  EXPECT_TRUE(RocksDbGraphStore::Open({.directory = directory / "store"}).ok());
}

TEST(RocksDbGraphStoreTest, ReadersShareADirectoryWithAWriter) {
  const TempDirectory directory;
  FillWithToyGraph(directory / "store");
  const auto writer = OpenOrFail(directory / "store");
  const auto reader = OpenOrFail(directory / "store", /*read_only=*/true);
  EXPECT_EQ(reader->GetNode(0)->key, "curl");
}

TEST(RocksDbGraphStoreTest, MissingDirectoryIsNotFound) {
  const TempDirectory directory;
  const auto store = RocksDbGraphStore::Open(
      {.directory = directory / "none", .create_if_missing = false});
  EXPECT_EQ(store.status().code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(directory / "none"));
}

TEST(RocksDbGraphStoreTest, ForeignDirectoryIsRefusedAndLeftAlone) {
  const TempDirectory directory;
  directory.Write("thesis.txt", "years of work");
  const auto store = RocksDbGraphStore::Open({.directory = directory.path()});
  EXPECT_EQ(store.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(store.status().message()), HasSubstr("thesis.txt"));
  EXPECT_FALSE(std::filesystem::exists(directory / "CURRENT"));
}

TEST(RocksDbGraphStoreTest, ForeignDatabaseIsRefused) {
  const TempDirectory directory;
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::DB* opened = nullptr;
  ASSERT_TRUE(
      rocksdb::DB::Open(options, (directory / "db").string(), &opened).ok());
  delete opened;
  const auto store = RocksDbGraphStore::Open({.directory = directory / "db"});
  EXPECT_EQ(store.status().code(), absl::StatusCode::kDataLoss);
}

// A newer program may keep more; the graph is not damaged.
TEST(RocksDbGraphStoreTest, AGraphWithAnotherFamilyIsOfANewerFormat) {
  const TempDirectory directory;
  FillWithToyGraph(directory / "store");
  {
    auto database = GraphDatabase::Open({.directory = directory / "store"});
    ASSERT_TRUE(database.ok()) << database.status();
    rocksdb::DB* db = (*database)->db();
    rocksdb::ColumnFamilyHandle* added = nullptr;
    ASSERT_TRUE(db->CreateColumnFamily({}, "vectors", &added).ok());
    ASSERT_TRUE(db->DestroyColumnFamilyHandle(added).ok());
  }
  const auto store =
      RocksDbGraphStore::Open({.directory = directory / "store"});
  EXPECT_EQ(store.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(store.status().message()),
              HasSubstr("the column family \"vectors\""));
}

TEST(RocksDbGraphStoreTest, OtherFormatIsRefused) {
  const TempDirectory directory;
  FillWithToyGraph(directory / "store");
  GraphMetadata metadata;
  metadata.format_version = 99;
  const std::string record = EncodeMetadata(metadata);
  ChangeRecord(directory / "store", GraphFamily::kMeta,
               std::string(kGraphRecord), &record);
  const auto store =
      RocksDbGraphStore::Open({.directory = directory / "store"});
  EXPECT_EQ(store.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(store.status().message()), HasSubstr("99"));
}

TEST(RocksDbGraphStoreTest, LoadThatWasCutShortLeavesNothing) {
  const TempDirectory directory;
  { OpenOrFail(directory / "store"); }
  std::filesystem::create_directory(directory / "store/loading");
  directory.Write("store/loading/adj.sst", "half a file");
  const auto store = OpenOrFail(directory / "store");
  EXPECT_FALSE(std::filesystem::exists(directory / "store/loading"));
  EXPECT_EQ(store->Metadata().status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(store->BulkLoad(ToyGraph(), "").ok());
  EXPECT_FALSE(std::filesystem::exists(directory / "store/loading"));
}

TEST(RocksDbGraphStoreTest, TruncatedRecordsAreDataLoss) {
  const TempDirectory directory;
  const auto path = directory / "store";
  FillWithToyGraph(path);
  TruncateRecord(path, GraphFamily::kNode, EncodeNodeKey(3));
  TruncateRecord(path, GraphFamily::kAdjacency,
                 EncodeAdjacencyKey({0, Direction::kOut, 0}));
  TruncateRecord(path, GraphFamily::kName, EncodeNameKey(0, "OpenSSL"));
  const auto store = OpenOrFail(path);
  constexpr auto kCode = absl::StatusCode::kDataLoss;
  EXPECT_EQ(store->GetNode(3).status().code(), kCode);
  EXPECT_EQ(store->GetArcs(0, Direction::kOut).status().code(), kCode);
  EXPECT_EQ(store->FindName(0, "OpenSSL").status().code(), kCode);
  EXPECT_EQ(store->ReadAll().status().code(), kCode);
  EXPECT_TRUE(store->GetNode(2).ok());
}

TEST(RocksDbGraphStoreTest, MissingRecordsAreDataLoss) {
  const TempDirectory directory;
  const auto path = directory / "store";
  FillWithToyGraph(path);
  ChangeRecord(path, GraphFamily::kNode, EncodeNodeKey(12), nullptr);
  ChangeRecord(path, GraphFamily::kAdjacency,
               EncodeAdjacencyKey({0, Direction::kOut, 0}), nullptr);
  const auto store = OpenOrFail(path);
  constexpr auto kCode = absl::StatusCode::kDataLoss;
  EXPECT_EQ(store->GetNode(12).status().code(), kCode);
  EXPECT_EQ(store->GetArcs(0, Direction::kOut).status().code(), kCode);
  EXPECT_EQ(store->ReadAll().status().code(), kCode);
}

TEST(RocksDbGraphStoreTest, ExportedFilesFillAnotherStore) {
  const TempDirectory directory;
  const GraphData data = RandomMultigraph({}, 5);
  ASSERT_TRUE(OpenOrFail(directory / "store")->BulkLoad(data, "split").ok());
  ASSERT_TRUE(OpenOrFail(directory / "store", /*read_only=*/true)
                  ->ExportSsts(directory / "sst")
                  .ok());
  EXPECT_TRUE(std::filesystem::exists(directory / "sst/adj.sst"));
  EXPECT_FALSE(std::filesystem::exists(directory / "sst/edge.sst"));

  const auto copy = RocksDbGraphStore::OpenOrIngest(
      {.directory = directory / "copy"}, directory / "sst");
  ASSERT_TRUE(copy.ok()) << copy.status();
  EXPECT_TRUE(std::filesystem::exists(directory / "sst/adj.sst"));
  EXPECT_EQ((*copy)->Metadata()->split_digest, "split");
  EXPECT_EQ(GraphDigest(*(*copy)->ReadAll()), GraphDigest(data));
  EXPECT_TRUE((*copy)->Verify()->ok());
}

TEST(RocksDbGraphStoreTest, WeightsAreExportedAndVerified) {
  const TempDirectory directory;
  const GraphData data = RandomMultigraph({.weighted = true}, 5);
  ASSERT_TRUE(OpenOrFail(directory / "store")->BulkLoad(data, "").ok());
  ASSERT_TRUE(
      OpenOrFail(directory / "store")->ExportSsts(directory / "sst").ok());
  EXPECT_TRUE(std::filesystem::exists(directory / "sst/edge.sst"));
  const auto copy = RocksDbGraphStore::OpenOrIngest(
      {.directory = directory / "copy"}, directory / "sst");
  ASSERT_TRUE(copy.ok()) << copy.status();
  EXPECT_EQ(GraphDigest(*(*copy)->ReadAll()), GraphDigest(data));
  EXPECT_TRUE((*copy)->Verify()->ok());
}

TEST(RocksDbGraphStoreTest, DamagedWeightsAreFound) {
  const GraphData data = RandomMultigraph({.weighted = true}, 5);
  const std::string record = EncodeLinkKey(data.links[0]);
  const std::string other_weight = EncodeWeight(7);
  const std::string no_weight = EncodeWeight(-1);
  const std::string no_link = EncodeLinkKey({40, 9, 40});
  const struct {
    std::string key;
    const std::string* value;
    bool readable;
  } changes[] = {{record, nullptr, true},
                 {record, &other_weight, true},
                 {record, &no_weight, false},
                 {no_link, &other_weight, false}};
  for (const auto& change : changes) {
    const TempDirectory directory;
    const auto path = directory / "store";
    ASSERT_TRUE(OpenOrFail(path)->BulkLoad(data, "").ok());
    ChangeRecord(path, GraphFamily::kEdge, change.key, change.value);
    const auto store = OpenOrFail(path);
    EXPECT_FALSE(store->Verify()->ok());
    if (change.readable) continue;
    EXPECT_EQ(store->ReadAll().status().code(), absl::StatusCode::kDataLoss);
  }
}

TEST(RocksDbGraphStoreTest, FilledStoreDoesNotNeedTheFilesAgain) {
  const TempDirectory directory;
  FillWithToyGraph(directory / "store");
  ASSERT_TRUE(
      OpenOrFail(directory / "store")->ExportSsts(directory / "sst").ok());
  ASSERT_TRUE(RocksDbGraphStore::OpenOrIngest({.directory = directory / "copy"},
                                              directory / "sst")
                  .ok());
  std::filesystem::remove_all(directory / "sst");
  const auto again = RocksDbGraphStore::OpenOrIngest(
      {.directory = directory / "copy"}, directory / "sst");
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ((*again)->GetNode(0)->key, "curl");
}

TEST(RocksDbGraphStoreTest, ExportsAfterLoadingAreReadableFromTheSameFiles) {
  const TempDirectory directory;
  FillWithToyGraph(directory / "store");
  ASSERT_TRUE(
      OpenOrFail(directory / "store")->ExportSsts(directory / "sst").ok());
  const auto digest = Sha256File(directory / "sst/adj.sst");
  ASSERT_TRUE(RocksDbGraphStore::OpenOrIngest({.directory = directory / "copy"},
                                              directory / "sst")
                  .ok());
  EXPECT_EQ(*Sha256File(directory / "sst/adj.sst"), *digest);
}

TEST(RocksDbGraphStoreTest, DamagedFilesAreNotIngested) {
  const TempDirectory directory;
  FillWithToyGraph(directory / "store");
  ASSERT_TRUE(
      OpenOrFail(directory / "store")->ExportSsts(directory / "sst").ok());
  std::string bytes = *ReadFile(directory / "sst/node.sst");
  bytes[10] ^= 1;
  directory.Write("sst/node.sst", bytes);
  const auto copy = RocksDbGraphStore::OpenOrIngest(
      {.directory = directory / "copy"}, directory / "sst");
  EXPECT_EQ(copy.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(OpenOrFail(directory / "copy")->Metadata().status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(RocksDbGraphStoreTest, FilesWithoutMetadataAreNotFound) {
  const TempDirectory directory;
  const auto store = RocksDbGraphStore::OpenOrIngest(
      {.directory = directory / "store"}, directory / "none");
  EXPECT_EQ(store.status().code(), absl::StatusCode::kNotFound);
}

TEST(RocksDbGraphStoreTest, ExportIntoAFullDirectoryIsRefused) {
  const TempDirectory directory;
  FillWithToyGraph(directory / "store");
  directory.Write("other", "");
  EXPECT_EQ(
      OpenOrFail(directory / "store")->ExportSsts(directory.path()).code(),
      absl::StatusCode::kFailedPrecondition);
}

TEST(RocksDbGraphStoreTest, ACopyThatCannotBeMadeIsNoDamage) {
  const TempDirectory directory;
  FillWithToyGraph(directory / "store");
  const auto store = OpenOrFail(directory / "store");
  // Nothing can be made there, by root neither.
  const absl::Status status = store->Checkpoint("/proc/slice-copy").status();
  EXPECT_NE(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("cannot create /proc/slice-copy"));
  ASSERT_TRUE(store->Checkpoint(directory / "copy").ok());
  EXPECT_EQ(store->Checkpoint(directory / "copy").status().code(),
            absl::StatusCode::kAlreadyExists);
}

class VerifyTest : public testing::Test {
 protected:
  VerifyTest() : path_(directory_ / "store") { FillWithToyGraph(path_); }

  std::vector<std::string> Problems() {
    const auto found = OpenOrFail(path_)->Verify();
    EXPECT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(found->ok(), found->problems.empty());
    return found->problems;
  }

  const TempDirectory directory_;
  const std::filesystem::path path_;
};

TEST_F(VerifyTest, WholeGraphHasNoProblem) {
  const auto found = OpenOrFail(path_)->Verify();
  ASSERT_TRUE(found.ok());
  EXPECT_THAT(found->problems, IsEmpty());
  EXPECT_EQ(found->nodes, 13);
  EXPECT_EQ(found->links, 16);
  EXPECT_EQ(found->names, 12);
  EXPECT_EQ(found->graph_digest, GraphDigest(ToyGraph()));
}

TEST_F(VerifyTest, NamesALinkStoredAtOneEndOnly) {
  ChangeRecord(path_, GraphFamily::kAdjacency,
               EncodeAdjacencyKey({7, Direction::kOut, 0}), nullptr);
  EXPECT_THAT(Problems(),
              Contains("adj: link node \"firefox\" recommends node \"libssl3\" "
                       "is stored at its target but not at its source"));
}

TEST_F(VerifyTest, NamesAChangedNode) {
  const std::string value = EncodeNode({{"curl", "Kurl", 0}, 4, 0});
  ChangeRecord(path_, GraphFamily::kNode, EncodeNodeKey(0), &value);
  const std::vector<std::string> problems = Problems();
  EXPECT_THAT(problems, Contains("name2id: the name of node \"curl\" is "
                                 "missing"));
  EXPECT_THAT(problems, Contains(HasSubstr("the digest is")));
}

TEST_F(VerifyTest, NamesAWrongDegree) {
  const std::string value = EncodeNode({{"curl", "curl", 0}, 5, 0});
  ChangeRecord(path_, GraphFamily::kNode, EncodeNodeKey(0), &value);
  EXPECT_THAT(Problems(),
              testing::ElementsAre(
                  "node: \"curl\" says 5 outgoing and 0 incoming links, but "
                  "has 4 and 0"));
}

TEST_F(VerifyTest, NamesAMissingNode) {
  ChangeRecord(path_, GraphFamily::kNode, EncodeNodeKey(2), nullptr);
  EXPECT_THAT(Problems(), Contains("node: the record of id 2 is missing"));
}

TEST_F(VerifyTest, NamesAWrongNameRecord) {
  const std::string value = EncodeIds({1});
  ChangeRecord(path_, GraphFamily::kName, EncodeNameKey(0, "OpenSSL"), &value);
  EXPECT_THAT(Problems(), testing::ElementsAre("name2id: the name \"OpenSSL\" "
                                               "does not lead to its nodes"));
}

TEST_F(VerifyTest, NamesATruncatedRecord) {
  TruncateRecord(path_, GraphFamily::kAdjacency,
                 EncodeAdjacencyKey({7, Direction::kOut, 0}));
  EXPECT_THAT(Problems(), Contains("adj: record 0 of the outgoing links of "
                                   "node \"firefox\" is malformed"));
}

TEST_F(VerifyTest, NamesADamagedDictionary) {
  TruncateRecord(path_, GraphFamily::kMeta, std::string(kRelationsRecord));
  EXPECT_THAT(Problems(), Contains("meta: the record \"relations\" is missing "
                                   "or malformed"));
}

}  // namespace
}  // namespace slice
