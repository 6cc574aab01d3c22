#include "model/native_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <utility>

#include "common/files.h"
#include "graphstore/graph_statistics.h"
#include "model/link_predictor.h"
#include "model/model_bundle.h"
#include "model/scripted_network.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_bundle.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class NativeNetworkTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(WriteToyBundle(bundle_, GetParam()).ok());
    file_ = bundle_ / "tensors/network.bin";
  }

  // Publishes the toy bundle anew with other arrays in tensors/network.bin.
  absl::Status Republish(const GraphStatistics& arrays) {
    const BundleManifest manifest = (*ModelBundle::Open(bundle_))->manifest();
    const fs::path staging = directory_ / "staging";
    fs::copy(bundle_, staging, fs::copy_options::recursive);
    const absl::Status saved = arrays.Save(staging / "tensors/network.bin");
    return saved.ok() ? PublishBundle(staging, bundle_, manifest) : saved;
  }

  const TempDirectory directory_;
  const fs::path bundle_ = directory_ / "bundle";
  fs::path file_;
};

TEST_P(NativeNetworkTest, HoldsTheParametersOfTheTorchScript) {
  const auto native = NativeNetwork::Load(file_);
  ASSERT_TRUE(native.ok()) << native.status();
  const auto script = OpenScriptedNetwork(bundle_ / "model.pt", "cpu");
  ASSERT_TRUE(script.ok()) << script.status();
  ASSERT_EQ(native->weights.all().size(), (*script)->weights().all().size());
  for (const auto& [name, weight] : (*script)->weights().all()) {
    EXPECT_EQ(native->weights.Get(name).shape, weight.shape) << name;
    EXPECT_EQ(native->weights.Get(name).values, weight.values) << name;
  }
  const NetworkOptions expected = ToyNetworkOptions(GetParam());
  EXPECT_EQ(native->options.readout, expected.readout);
  EXPECT_EQ(native->options.projection, expected.projection);
}

TEST_P(NativeNetworkTest, RunsWithoutMeasuringAndWithoutTheTorchScript) {
  fs::path elsewhere = directory_ / "model.pt";
  auto bundle = *ModelBundle::Open(bundle_);
  fs::rename(bundle_ / "model.pt", elsewhere);
  for (const ForwardPath path : {ForwardPath::kAuto, ForwardPath::kNative,
                                 ForwardPath::kNativeBfloat16}) {
    const auto predictor = LinkPredictor::Create(bundle, {.path = path});
    ASSERT_TRUE(predictor.ok()) << predictor.status();
    EXPECT_TRUE((*predictor)->timings().empty());
    EXPECT_EQ((*predictor)->path(),
              path == ForwardPath::kAuto ? ForwardPath::kNative : path);
    EXPECT_TRUE((*predictor)->WarmUp().ok());
  }
  EXPECT_FALSE(
      LinkPredictor::Create(bundle, {.path = ForwardPath::kTorchScript}).ok());
}

TEST_P(NativeNetworkTest, ScoresAsTheTorchScriptDoes) {
  const auto bundle = *ModelBundle::Open(bundle_);
  const auto encoder = *bundle->MakeEncoder();
  const auto graph = ToySnapshot();
  const auto native = *LinkPredictor::Create(bundle, {});
  const auto script =
      *LinkPredictor::Create(bundle, {.path = ForwardPath::kTorchScript});
  for (NodeId source = 0; source + 1 < graph->node_count(); ++source) {
    const EncodedLink link = encoder->Encode(
        *graph, Link{source, source % graph->relation_count(), source + 1});
    const EncodedLink* links[] = {&link};
    const ContextBatch batch = ContextBatch::Assemble(links);
    EXPECT_NEAR((*native->Predict(batch))[0].logit,
                (*script->Predict(batch))[0].logit, 1e-4);
  }
}

TEST_P(NativeNetworkTest, ABundleWithoutItRunsByItsTorchScript) {
  const BundleManifest manifest = (*ModelBundle::Open(bundle_))->manifest();
  fs::remove(file_);
  fs::remove(bundle_ / "MANIFEST.json");
  ASSERT_TRUE(PublishBundle(bundle_, directory_ / "old", manifest).ok());
  const auto bundle = ModelBundle::Open(directory_ / "old");
  ASSERT_TRUE(bundle.ok()) << bundle.status();
  EXPECT_FALSE((*bundle)->network().native.has_value());
  const auto predictor = LinkPredictor::Create(*bundle, {});
  ASSERT_TRUE(predictor.ok()) << predictor.status();
  EXPECT_FALSE((*predictor)->timings().empty());
}

TEST_P(NativeNetworkTest, RefusesADamagedFile) {
  std::string bytes = *ReadFile(file_);
  bytes[bytes.size() / 2] ^= 1;
  const fs::path damaged = directory_.Write("damaged", bytes);
  EXPECT_EQ(NativeNetwork::Load(damaged).status().code(),
            absl::StatusCode::kDataLoss);
}

TEST_P(NativeNetworkTest, RefusesParametersOfNoKnownNetwork) {
  GraphStatistics arrays = *GraphStatistics::Load(file_);
  arrays.Set("layer_77_surprise", {{1}, {0}});
  ASSERT_TRUE(arrays.Save(directory_ / "odd").ok());
  const auto loaded = NativeNetwork::Load(directory_ / "odd");
  EXPECT_EQ(loaded.status().code(), absl::StatusCode::kDataLoss);
  arrays = *GraphStatistics::Load(file_);
  arrays.Set("option.readout", {{1}, {9}});
  ASSERT_TRUE(arrays.Save(directory_ / "odd").ok());
  EXPECT_EQ(NativeNetwork::Load(directory_ / "odd").status().code(),
            absl::StatusCode::kDataLoss);
}

// Our kernels read where the sizes of the network say, so a network for a graph
// with more relations would read beyond its arrays.
TEST_P(NativeNetworkTest, RefusesANetworkForAnotherGraph) {
  NetworkOptions other = ToyNetworkOptions(GetParam());
  ++other.relation_count;
  GraphData data = ToyGraph();
  data.catalogue.relations.push_back("another");
  other.pair_features = 0;
  ASSERT_TRUE(WriteBundleFor(data, other, directory_ / "other").ok());
  const auto arrays =
      GraphStatistics::Load(directory_ / "other/tensors/network.bin");
  ASSERT_TRUE(arrays.ok()) << arrays.status();
  ASSERT_TRUE(Republish(*arrays).ok());
  const auto bundle = ModelBundle::Open(bundle_);
  ASSERT_TRUE(bundle.ok()) << bundle.status();
  const auto predictor = LinkPredictor::Create(*bundle, {});
  EXPECT_EQ(predictor.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(predictor.status().message()),
              HasSubstr("another graph"));
}

INSTANTIATE_TEST_SUITE_P(Presets, NativeNetworkTest,
                         ::testing::Values("default", "paper"));

}  // namespace
}  // namespace slice
