// What the ablations of the paper keep and train, from the options of `fit` to
// the bundle.
#include "trainer/fit/fine_tuning_step.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <cmath>
#include <string>
#include <vector>

#include "model/torch/network.h"
#include "tests/trainer/fit_options_in.h"
#include "tests/trainer/planted_files.h"
#include "trainer/evaluation/offline_model.h"
#include "trainer/fit/fit.h"

namespace slice {
namespace {

class AblationTest : public ::testing::Test {
 protected:
  AblationTest() { WritePlantedFiles(directory_, 7); }

  FitOptions Options() const {
    FitOptions options = FitOptionsIn(directory_);
    EXPECT_TRUE(options.ApplyPreset("paper").ok());
    options.node2vec.dim = 12;
    options.node2vec.walks_per_node = 2;
    options.node2vec.walk_length = 10;
    options.pretrain_epochs = 2;
    options.fine_tune_epochs = 2;
    options.batch_size = 64;
    options.network.hidden_dim = 16;
    options.network.layers = 3;
    options.network.heads = 2;
    options.network.head_dim = 8;
    options.network.feed_forward_dim = 16;
    return options;
  }

  std::vector<float> Table(const std::filesystem::path& file) const {
    const auto table = *EmbeddingTable::Open(file);
    return {table->data(), table->data() + table->rows() * table->dim()};
  }

  TempDirectory directory_;
};

// The served score of every test link is the dot product of the two vectors
// that the pre-trained network encodes, in the layers that pre-training read.
TEST_F(AblationTest, WithoutFineTuningTheScoreIsOfPretrainedVectors) {
  for (const LayerReadout readout :
       {LayerReadout::kAllConcatenated, LayerReadout::kLast}) {
    FitOptions options = Options();
    options.without_fine_tuning = true;
    options.network.readout = readout;
    options.out = directory_ / std::to_string(static_cast<int>(readout));
    const absl::Status fitted = Fit(options);
    ASSERT_TRUE(fitted.ok()) << fitted;
    const auto model = *OfflineModel::Open(options.out);
    const auto rows = *ReadLabelledLinks(options.test, model->graph());
    std::vector<Link> links;
    std::vector<EncodedLink> encoded;
    for (const LabelledLink& row : rows) {
      links.push_back(row.link);
      encoded.push_back(
          model->scoring().encoder->Encode(model->graph(), row.link));
    }
    std::vector<const EncodedLink*> pointers;
    for (const EncodedLink& link : encoded) pointers.push_back(&link);
    const ContextBatch batch = ContextBatch::Assemble(pointers);

    const EmbeddingTable& table = model->bundle().embeddings();
    const at::Tensor embeddings = at::from_blob(
        const_cast<float*>(table.data()),
        {static_cast<int64_t>(table.rows()), table.dim()}, at::kFloat);
    torch::jit::Module network =
        *LoadNetwork(options.out.string() + ".work/pretrained.pt");
    network.eval();
    const at::NoGradGuard no_grad;
    auto inputs = NetworkInputs(embeddings, batch, at::kCPU);
    inputs.pop_back();  // encode() takes no pair features
    const at::Tensor vectors =
        network.get_method("encode")(std::move(inputs)).toTensor();
    EXPECT_EQ(vectors.size(2), readout == LayerReadout::kLast ? 16 : 48);

    const auto predictions = *PredictLinks(model->scoring(), links);
    ASSERT_EQ(predictions.size(), links.size());
    for (size_t i = 0; i < links.size(); ++i) {
      const auto row = static_cast<int64_t>(i);
      const double dot =
          (vectors[row][0] * vectors[row][1]).sum().item<double>();
      EXPECT_NEAR(predictions[i].Logit(Scorer::kContext, Question::kPlausible),
                  dot, 1e-3 * (1 + std::abs(dot)));
    }
  }
}

// The random vectors of the ablation without global features are parameters.
TEST_F(AblationTest, WithoutGlobalFeaturesRandomVectorsAreTrained) {
  FitOptions options = Options();
  options.SetEmbeddings("random");
  const absl::Status fitted = Fit(options);
  ASSERT_TRUE(fitted.ok()) << fitted;
  const std::filesystem::path work = options.out.string() + ".work";
  const auto drawn = Table(work / "embeddings.bin");
  const auto pretrained = Table(work / "pretrained_embeddings.bin");
  const auto published = Table(options.out / "embeddings.bin");
  EXPECT_EQ(drawn.size(), pretrained.size());
  EXPECT_NE(drawn, pretrained);
  EXPECT_NE(pretrained, published);
  EXPECT_EQ(published, Table(work / "fine_tuned_embeddings.bin"));
  // The run is found finished, with the same vectors.
  ASSERT_TRUE(Fit(options).ok());
  EXPECT_EQ(published, Table(options.out / "embeddings.bin"));
}

TEST_F(AblationTest, Node2vecsVectorsStayAsTheyAre) {
  const FitOptions options = Options();
  ASSERT_TRUE(Fit(options).ok());
  const std::filesystem::path work = options.out.string() + ".work";
  EXPECT_EQ(Table(work / "embeddings.bin"),
            Table(options.out / "embeddings.bin"));
  EXPECT_FALSE(std::filesystem::exists(work / "fine_tuned_embeddings.bin"));
}

TEST_F(AblationTest, RandomVectorsAreTrainedWithOneNetwork) {
  FitOptions options = Options();
  options.SetEmbeddings("random");
  options.compare_pretraining = true;
  EXPECT_EQ(Fit(options).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace slice
