#include "server/models/model_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <string>
#include <vector>

#include "common/files.h"
#include "graphstore/graph_database.h"
#include "graphstore/graph_records.h"
#include "graphstore/schema_fit.h"
#include "rocksdb/write_batch.h"
#include "tests/server/test_server.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_bundle.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class ModelLoaderTest : public ::testing::Test {
 protected:
  ModelLoaderTest() {
    options_ = TestServerOptions();
    options_.bundle = directory_ / "bundle";
    options_.data_dir = directory_ / "data";
    EXPECT_TRUE(WriteToyBundle(options_.bundle).ok());
  }

  // The score of curl -depends-> libssl3 from a newly loaded model.
  float Score() {
    auto server = LinkPredictionServer::Listen(options_);
    EXPECT_TRUE(server.ok()) << server.status();
    const absl::Status loaded = (*server)->Load();
    EXPECT_TRUE(loaded.ok()) << loaded;
    const auto stub = v1::LinkPredictionService::NewStub(grpc::CreateChannel(
        (*server)->address(), grpc::InsecureChannelCredentials()));
    grpc::ClientContext context;
    v1::PredictLinksResponse response;
    const grpc::Status status =
        stub->PredictLinks(&context, CurlRequest(), &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.results_size() == 1 ? response.results(0).logit() : 0;
  }

  TempDirectory directory_;
  ServerOptions options_;
};

TEST_F(ModelLoaderTest, LoadsABundleAndItsGraph) {
  const auto loaded = LoadModel(options_);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  const ServedModel& model = **loaded;
  EXPECT_EQ(model.name, "default");
  EXPECT_EQ(model.Graph()->link_count(), ToySnapshot()->link_count());
  EXPECT_EQ(model.Graph()->relation_count(), 6);
  EXPECT_EQ((*loaded)->graph->directory,
            options_.data_dir / "graphs" / model.manifest.graph_digest);
  EXPECT_TRUE(std::filesystem::is_directory((*loaded)->graph->directory));
}

// The second bundle was trained on fewer links of the graph of the first one,
// as it was at a version. It is served on that graph, as it is now.
class LiveGraphOriginTest : public ModelLoaderTest {
 protected:
  LiveGraphOriginTest() {
    const auto first =
        *LoadModel(options_, "first", options_.bundle, {&graphs_});
    digest_ = first->manifest.graph_digest;
    AddNewcomer(*first);
  }

  static void AddNewcomer(const ServedModel& model) {
    std::promise<absl::Status> done;
    NamedChanges changes;
    changes.Add()->mutable_upsert_node()->set_key("newcomer");
    EXPECT_TRUE(
        model.graph->live
            ->Submit({.changes = changes,
                      .done =
                          [&](const absl::StatusOr<UpdateOutcome>& outcome) {
                            done.set_value(outcome.status());
                          }})
            .ok());
    EXPECT_TRUE(done.get_future().get().ok());
  }

  std::vector<std::string> StoredGraphs() const {
    std::vector<std::string> names;
    for (const auto& entry :
         std::filesystem::directory_iterator(options_.data_dir / "graphs"))
      names.push_back(entry.path().filename());
    return names;
  }

  absl::StatusOr<std::shared_ptr<const ServedModel>> LoadSecond(
      const GraphData& data, const std::string& origin, uint64_t version = 1) {
    const auto bundle = directory_ / "second";
    EXPECT_TRUE(WriteBundleFor(data, ToyNetworkOptions(), bundle,
                               /*golden=*/true,
                               LiveGraphOrigin{origin, version})
                    .ok());
    return LoadModel(options_, "second", bundle, {&graphs_});
  }

  ServedGraphs graphs_;
  std::string digest_;
};

TEST_F(LiveGraphOriginTest, IsServedAsItIsNow) {
  GraphData fewer = ToyGraph();
  fewer.links.pop_back();
  const auto second = LoadSecond(fewer, digest_);
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_EQ((*second)->Graph()->link_count(), ToySnapshot()->link_count());
  EXPECT_TRUE((*second)->Graph()->names().FindKey("newcomer").has_value());
  EXPECT_EQ((*second)->base_graph_version, 1u);
  EXPECT_EQ((*second)->graph->digest, digest_);
  EXPECT_GT((*second)->golden_links, 0u);
}

// The graph's own schema is that of its first version.
TEST_F(LiveGraphOriginTest, HasTheKindsOfNodesThatTheModelWasTrainedOn) {
  GraphData more = ToyGraph();
  const NodeId team = *ToySnapshot()->names().FindKey("web:team");
  const Link known = ToyLink(*ToySnapshot(), "curl", "depends", "libcurl4");
  more.links.push_back({known.source, known.relation, team});
  const auto second = LoadSecond(more, digest_);
  ASSERT_TRUE(second.ok()) << second.status();
  const auto first = LoadModel(options_, "first", options_.bundle, {&graphs_});
  ASSERT_TRUE(first.ok()) << first.status();
  const Link asked = {*ToySnapshot()->names().FindKey("lonely"), known.relation,
                      team};
  const auto graph = (*second)->Graph();
  EXPECT_EQ((*first)->Graph(), graph);
  EXPECT_TRUE((*first)->encoder->Encode(*graph, asked).flags.off_schema());
  EXPECT_FALSE((*second)->encoder->Encode(*graph, asked).flags.off_schema());
  EXPECT_TRUE(FitsSchema(*graph, ModelOnGraph(**second, *graph).schema(), team,
                         {known.relation, Direction::kIn}));
}

// Otherwise each bundle of a nightly training leaves a store.
TEST_F(LiveGraphOriginTest, IsTheOnlyOneThatIsKept) {
  GraphData fewer = ToyGraph();
  fewer.links.pop_back();
  const auto second = LoadSecond(fewer, digest_);
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_THAT(StoredGraphs(), ElementsAre(digest_));
}

// Another bundle, without a graph/ of its own, may need it.
TEST_F(LiveGraphOriginTest, LeavesTheBundlesOwnWhereItWasBefore) {
  GraphData fewer = ToyGraph();
  fewer.links.pop_back();
  const std::string own =
      (*LoadSecond(fewer, std::string(64, 'a')))->graph->digest;
  std::filesystem::remove_all(directory_ / "second");
  const auto second = LoadSecond(fewer, digest_);
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_THAT(StoredGraphs(), UnorderedElementsAre(digest_, own));
}

// Its links may have been changed while it was served alone.
TEST_F(LiveGraphOriginTest, LeavesTheBundlesOwnWhereItWasChanged) {
  GraphData fewer = ToyGraph();
  fewer.links.pop_back();
  std::string own;
  {
    const auto alone = LoadSecond(fewer, std::string(64, 'a'));
    ASSERT_TRUE(alone.ok()) << alone.status();
    own = (*alone)->graph->digest;
    AddNewcomer(**alone);
  }
  std::filesystem::remove_all(directory_ / "second");
  const auto second = LoadSecond(fewer, digest_);
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_THAT(StoredGraphs(), UnorderedElementsAre(digest_, own));
}

TEST_F(LiveGraphOriginTest, IsRefusedWhenItHasOtherNodes) {
  GraphData other = ToyGraph();
  std::swap(other.catalogue.nodes[0], other.catalogue.nodes[1]);
  const absl::Status status = LoadSecond(other, digest_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("has other nodes now"));
}

// As after the restore of an older copy of the graph.
TEST_F(LiveGraphOriginTest, IsRefusedWhenItIsOlderThanTheBundle) {
  const absl::Status status = LoadSecond(ToyGraph(), digest_, 7).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("trained on version 7 of the graph"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("is at version 1 in"));
}

TEST_F(LiveGraphOriginTest, IsReplacedByTheBundlesOwnWhereItIsNot) {
  GraphData fewer = ToyGraph();
  fewer.links.pop_back();
  const auto second = LoadSecond(fewer, std::string(64, 'a'));
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_EQ((*second)->Graph()->link_count(), fewer.links.size());
}

// Its own graph at version 0 would pass for a replica that has no change yet.
TEST_F(LiveGraphOriginTest, IsRefusedWhereItIsNotAndAFeedIsFollowed) {
  options_.feed = "nats://127.0.0.1:1/CHANGES";
  const auto second = LoadSecond(ToyGraph(), std::string(64, 'a'));
  EXPECT_EQ(second.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(second.status().message()),
              HasSubstr("begin with a checkpoint"));
}

TEST_F(ModelLoaderTest, TheServerScoresAsThePredictorDoes) {
  float expected = 0;
  {
    const auto loaded = LoadModel(options_);
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    const ServedModel& model = **loaded;
    const EncodedLink encoded = model.encoder->Encode(
        *model.Graph(), ToyLink(*model.Graph(), "curl", "depends", "libssl3"));
    const std::vector<const EncodedLink*> links = {&encoded};
    expected =
        model.scorer->Predict(ContextBatch::Assemble(links)).value()[0].logit;
  }
  EXPECT_NEAR(Score(), expected, 1e-5);
}

TEST_F(ModelLoaderTest, TheBundlesGraphIsNotNeededAfterTheFirstStart) {
  const float first = Score();
  std::filesystem::remove_all(options_.bundle / "graph");
  EXPECT_EQ(Score(), first);
}

TEST_F(ModelLoaderTest, AGraphThatIsNowhereIsNamed) {
  std::filesystem::remove_all(options_.bundle / "graph");
  const absl::Status status = LoadModel(options_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("has no graph/"));
  EXPECT_FALSE(std::filesystem::exists(options_.data_dir / "graphs"));
}

TEST_F(ModelLoaderTest, ADataDirectoryInUseIsRefused) {
  const auto first = LoadModel(options_);
  ASSERT_TRUE(first.ok());
  const absl::Status status = LoadModel(options_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("in use"));
}

// The state that a process leaves when it is killed while RocksDB makes files.
TEST_F(ModelLoaderTest, AStoreThatWasCutShortIsBuiltAgain) {
  namespace fs = std::filesystem;
  const float score = Score();
  const fs::path graphs = options_.data_dir / "graphs";
  const fs::path store = fs::directory_iterator(graphs)->path();
  const auto remove = [&](const std::string& prefix) {
    for (const auto& file : fs::directory_iterator(store)) {
      if (file.path().filename().string().starts_with(prefix))
        fs::remove(file.path());
    }
  };
  const std::vector<std::function<void()>> damages = {
      [&] { fs::remove(store / "CURRENT"); },
      [&] {
        fs::remove(store / "CURRENT");
        std::ofstream(store / "000001.dbtmp") << "MANIFEST-000001\n";
      },
      [&] { std::ofstream(store / "CURRENT") << "MANIFEST-000099\n"; },
      [&] { fs::resize_file(store / "CURRENT", 0); },
      [&] { remove("MANIFEST-"); },
      [&] {
        for (const auto& file : fs::directory_iterator(store)) {
          if (file.path().extension() == ".sst") fs::remove(file.path());
        }
      },
      [&] { fs::remove_all(store), fs::create_directory(store); },
      [&] { fs::rename(store, store.string() + ".partial"); },
      [&] { std::ofstream(store.string() + ".lock"); },
  };
  for (size_t i = 0; i < damages.size(); ++i) {
    SCOPED_TRACE(i);
    damages[i]();
    EXPECT_EQ(Score(), score);
    EXPECT_FALSE(fs::exists(store.string() + ".partial"));
  }
}

// Its log may hold changes that nothing else holds.
TEST_F(ModelLoaderTest, AStoreThatCannotBeReadIsKept) {
  namespace fs = std::filesystem;
  const float score = Score();
  const fs::path store =
      fs::directory_iterator(options_.data_dir / "graphs")->path();
  for (const char* number : {"1", "2"}) {
    fs::resize_file(store / "CURRENT", 0);
    std::ofstream(store / "witness") << number;
    EXPECT_EQ(Score(), score);
    const std::string kept = store.string() + ".damaged-" + number;
    EXPECT_EQ(ReadFile(fs::path(kept) / "witness").value_or(""), number);
    EXPECT_FALSE(fs::exists(store / "witness"));
  }
}

// Makes the closed store of a graph one of a format that only later programs
// know.
void MakeNewer(const std::filesystem::path& store) {
  GraphMetadata metadata;
  metadata.format_version = 99;
  const auto database = GraphDatabase::Open({.directory = store});
  ASSERT_TRUE(database.ok()) << database.status();
  rocksdb::WriteBatch batch;
  ASSERT_TRUE(batch
                  .Put((*database)->handle(GraphFamily::kMeta),
                       std::string(kGraphRecord), EncodeMetadata(metadata))
                  .ok());
  ASSERT_TRUE((*database)->WriteDurably(batch).ok());
}

TEST_F(ModelLoaderTest, AStoreOfANewerProgramIsLeftAlone) {
  namespace fs = std::filesystem;
  Score();
  const fs::path graphs = options_.data_dir / "graphs";
  const fs::path store = fs::directory_iterator(graphs)->path();
  ASSERT_NO_FATAL_FAILURE(MakeNewer(store));
  const absl::Status status = LoadModel(options_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("format 99"));
  EXPECT_TRUE(fs::exists(store / "CURRENT"));
  EXPECT_FALSE(fs::exists(store.string() + ".damaged-1"));
}

TEST_F(ModelLoaderTest, AStoreThatCannotBeLookedIntoIsLeftAlone) {
  namespace fs = std::filesystem;
  Score();
  const fs::path graphs = options_.data_dir / "graphs";
  const fs::path store = fs::directory_iterator(graphs)->path();
  fs::rename(store, directory_ / "elsewhere");
  fs::create_symlink(store, store);  // ELOOP, as EACCES and EIO elsewhere
  const absl::Status status = LoadModel(options_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << status;
  EXPECT_TRUE(fs::is_symlink(store));
}

TEST_F(ModelLoaderTest, AMissingBundleIsNamed) {
  options_.bundle = directory_ / "nowhere";
  const absl::Status status = LoadModel(options_).status();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("nowhere"));
}

TEST_F(ModelLoaderTest, AChangedByteIsRefusedByName) {
  std::fstream file(options_.bundle / "model.pt",
                    std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(100);
  file.put('\xff');
  file.close();
  const absl::Status status = LoadModel(options_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("model.pt"));
}

TEST_F(ModelLoaderTest, ADataDirectoryThatIsAFileIsRefused) {
  directory_.Write("data", "not a directory");
  const absl::Status status = LoadModel(options_).status();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("data"));
}

TEST_F(ModelLoaderTest, AnUnknownDeviceIsRefused) {
  options_.device = "tpu";
  EXPECT_EQ(LoadModel(options_).status().code(),
            absl::StatusCode::kInvalidArgument);
}

// A link has the same score alone and in any batch, with and without
// explanation.
TEST_F(ModelLoaderTest, AScoreDoesNotDependOnItsCompany) {
  auto server = LinkPredictionServer::Listen(options_);
  ASSERT_TRUE(server.ok() && (*server)->Load().ok());
  const auto stub = v1::LinkPredictionService::NewStub(grpc::CreateChannel(
      (*server)->address(), grpc::InsecureChannelCredentials()));
  v1::PredictLinksRequest all;
  const auto snapshot = ToySnapshot();
  for (NodeId node = 0; node < snapshot->node_count(); ++node) {
    v1::LinkRef* link = all.add_links();
    link->mutable_source()->set_key("curl");
    link->set_relation("depends");
    link->mutable_target()->set_key(snapshot->Key(node));
  }
  const auto ask = [&stub](const v1::PredictLinksRequest& request) {
    grpc::ClientContext context;
    v1::PredictLinksResponse response;
    EXPECT_TRUE(stub->PredictLinks(&context, request, &response).ok());
    return response;
  };
  const v1::PredictLinksResponse together = ask(all);
  v1::PredictLinksRequest explained = all;
  explained.set_explanation_level(v1::EXPLANATION_LEVEL_CONTEXT);
  const v1::PredictLinksResponse with_reasons = ask(explained);
  for (int i = 0; i < all.links_size(); ++i) {
    v1::PredictLinksRequest one;
    *one.add_links() = all.links(i);
    const float alone = ask(one).results(0).logit();
    EXPECT_NEAR(together.results(i).logit(), alone, 1e-5);
    EXPECT_NEAR(with_reasons.results(i).logit(), alone, 1e-5);
  }
}

}  // namespace
}  // namespace slice
