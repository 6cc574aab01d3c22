// Trains on the graph of a store that changed.
#include "trainer/fit/store_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/files.h"
#include "graphstore/edge_list_import_options.h"
#include "graphstore/edge_list_importer.h"
#include "tests/testing/temp_directory.h"
#include "tests/trainer/fit_options_in.h"
#include "tests/trainer/planted_files.h"
#include "trainer/evaluation/offline_model.h"
#include "trainer/fit/fit.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

// The planted train graph in a store; then 60 links to the new nodes "new0" to
// "new9" come in 6 versions, and the node "n7" goes.
class StoreStepTest : public ::testing::Test {
 protected:
  static constexpr int kVersions = 6;
  static constexpr float kWeight = 3.0000002f;  // of the links of "new0"

  void SetUp() override {
    WritePlantedFiles(directory_, 7);
    EdgeListImportOptions import;
    import.train = directory_ / "train.txt";
    const auto imported = ImportEdgeList(import);
    ASSERT_TRUE(imported.ok()) << imported.status();
    const auto store = RocksDbGraphStore::Open({.directory = StorePath()});
    ASSERT_TRUE(store.ok()) << store.status();
    ASSERT_TRUE((*store)->BulkLoad(imported->data, "").ok());
    base_ = *(*store)->BuildSnapshot();
    ChangeLog log = *(*store)->OpenChangeLog();
    for (uint64_t version = 1; version <= kVersions; ++version) {
      const LoggedChanges changes[] = {{version, ChangesOf(version)}};
      const absl::Status status = log.Append(changes);
      ASSERT_TRUE(status.ok()) << status;
    }
  }

  NodeId NodeOf(const std::string& key) const {
    return *base_->names().FindKey(key);
  }

  GraphChanges ChangesOf(uint64_t version) const {
    GraphChanges changes;
    const auto first_new = static_cast<NodeId>(base_->node_count());
    if (version == 1) {
      for (int i = 0; i < 10; ++i) {
        const std::string key = absl::StrCat("new", i);
        changes.added_nodes.push_back({key, key, 0});
      }
      changes.removed_nodes = {NodeOf("n7")};
    }
    for (NodeId i = 0; i < 10; ++i) {
      const int other = static_cast<int>(8 + 4 * version + i % 4);
      changes.added_links.push_back(
          {{first_new + i, *base_->FindRelation("likes"),
            NodeOf(absl::StrCat("n", other))},
           i == 0 ? kWeight : 1});
    }
    return changes;
  }

  std::filesystem::path StorePath() const {
    return directory_ / "data/graphs/digest";
  }

  FitOptions Options() const {
    FitOptions options = BriefFitOptions();
    EXPECT_TRUE(options.ApplyPreset("fast").ok());
    options.from_store = StorePath();
    options.split.rule = SplitRule::kNewest;
    options.split.valid_share = options.split.test_share = 0.02;
    options.out = directory_ / "bundle";
    options.threads = 1;
    options.structural_epochs = 1;
    return options;
  }

  // The sources of the positives of a part of the split.
  static std::set<std::string> SourcesOf(const FitOptions& options,
                                         const std::string& part) {
    std::set<std::string> sources;
    const std::string text =
        *ReadFile(options.WorkFile(absl::StrCat("split/", part, ".tsv")));
    for (const absl::string_view line :
         absl::StrSplit(text, '\n', absl::SkipEmpty())) {
      const std::vector<std::string> row = absl::StrSplit(line, '\t');
      if (row.back() == "1") sources.insert(row[1]);
    }
    return sources;
  }

  const TempDirectory directory_;
  std::shared_ptr<const GraphSnapshot> base_;
};

TEST_F(StoreStepTest, TheNewestChangesAreHeldOut) {
  const FitOptions options = Options();
  const absl::Status status = Fit(options);
  ASSERT_TRUE(status.ok()) << status;
  for (const char* part : {"valid", "test"}) {
    const std::set<std::string> sources = SourcesOf(options, part);
    EXPECT_GT(sources.size(), 5u);
    for (const std::string& source : sources) {
      EXPECT_THAT(source, ::testing::StartsWith("new")) << part;
    }
  }
}

// A server with this store serves the bundle on it, if the ids are the same.
TEST_F(StoreStepTest, TheBundleHasTheIdsOfTheStore) {
  const FitOptions options = Options();
  ASSERT_TRUE(Fit(options).ok());
  const auto model = OfflineModel::Open(options.out);
  ASSERT_TRUE(model.ok()) << model.status();
  const auto store =
      RocksDbGraphStore::Open({.directory = StorePath(), .read_only = true});
  const auto live = (*store)->GraphAt();
  ASSERT_TRUE(live.ok()) << live.status();
  const GraphSnapshot& graph = (*model)->graph();
  EXPECT_EQ(graph.relations(), (*live)->relations());
  EXPECT_EQ(graph.node_types(), (*live)->node_types());
  ASSERT_EQ(graph.node_count(), (*live)->node_count());
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    EXPECT_EQ(graph.Key(node), (*live)->Key(node));
  }
  const auto& origin = (*model)->bundle().manifest().live_graph;
  ASSERT_TRUE(origin.has_value());
  EXPECT_EQ(origin->graph_version, uint64_t{kVersions});
  EXPECT_EQ(origin->graph_digest, (*store)->Metadata()->graph_digest);
  // Every train link is one of the live graph, and the removed node has none.
  const GraphData data = graph.Data();
  for (const Link& link : data.links) EXPECT_TRUE((*live)->HasLink(link));
  EXPECT_LT(data.links.size(), (*live)->link_count());
}

TEST_F(StoreStepTest, AnEarlierVersionIsTheGraphAsItWasThen) {
  FitOptions options = Options();
  options.graph_version = 2;
  options.split.valid_share = options.split.test_share = 0.005;
  ASSERT_TRUE(Fit(options).ok());
  const auto model = OfflineModel::Open(options.out);
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ((*model)->bundle().manifest().live_graph->graph_version, 2u);
  const std::string links = *ReadFile(options.WorkFile("store/links.tsv"));
  const std::vector<std::string> rows =
      absl::StrSplit(links, '\n', absl::SkipEmpty());
  EXPECT_THAT(rows.back(), HasSubstr("likes\tnew"));
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(),
                          [](const std::string& row) {
                            return absl::StrContains(row, "\tnew");
                          }),
            20);
}

TEST_F(StoreStepTest, AVersionThatIsNotThereIsNamed) {
  FitOptions options = Options();
  options.graph_version = 99;
  const absl::Status status = Fit(options);
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(status.message(), HasSubstr("99"));
}

TEST_F(StoreStepTest, FilesOfLinksBesideAStoreAreRefused) {
  FitOptions options = Options();
  options.train = directory_ / "train.txt";
  EXPECT_THAT(Fit(options).message(), HasSubstr("--from-store"));
  options = Options();
  options.split.links = directory_ / "train.txt";
  EXPECT_THAT(Fit(options).message(), HasSubstr("--from-store"));
}

TEST_F(StoreStepTest, WeightsKeepTheirDigits) {
  const FitOptions options = Options();
  const absl::Status status = Fit(options);
  ASSERT_TRUE(status.ok()) << status;
  const std::string links = *ReadFile(options.WorkFile("store/links.tsv"));
  EXPECT_THAT(links, HasSubstr("likes\tnew0\tn12\t3.0000002\n"));
}

TEST_F(StoreStepTest, TextsMayBeginAsACommentOrAQuote) {
  GraphData data = base_->Data();
  data.catalogue.nodes[0].key = "#hash";
  data.catalogue.nodes[1].key = "\"quoted";
  data.catalogue.node_types[0] = "#type";
  data.catalogue.relations[0] = "#relation";
  FitOptions options = Options();
  options.from_store = directory_ / "awkward";
  options.split.rule = SplitRule::kRandom;
  {
    const auto store =
        RocksDbGraphStore::Open({.directory = options.from_store});
    ASSERT_TRUE(store.ok()) << store.status();
    ASSERT_TRUE((*store)->BulkLoad(data, "").ok());
  }
  const absl::Status status = Fit(options);
  ASSERT_TRUE(status.ok()) << status;
  const auto model = OfflineModel::Open(options.out);
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ((*model)->graph().Catalogue(), data.catalogue);
}

TEST_F(StoreStepTest, TheSameVersionIsNotReadAgain) {
  const FitOptions options = Options();
  ASSERT_TRUE(Fit(options).ok());
  const auto written =
      std::filesystem::last_write_time(options.WorkFile("store/links.tsv"));
  std::filesystem::remove_all(options.out);
  ASSERT_TRUE(Fit(options).ok());
  EXPECT_EQ(
      std::filesystem::last_write_time(options.WorkFile("store/links.tsv")),
      written);
}

}  // namespace
}  // namespace slice
