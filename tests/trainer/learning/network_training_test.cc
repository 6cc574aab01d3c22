#include "trainer/learning/network_training.h"

#include <ATen/Context.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <cmath>
#include <numeric>
#include <utility>

#include "graphstore/edge_list_import_options.h"
#include "graphstore/edge_list_importer.h"
#include "graphstore/labelled_link.h"
#include "model/torch/network.h"
#include "tests/testing/temp_directory.h"
#include "tests/trainer/planted_files.h"
#include "trainer/learning/pretraining.h"
#include "trainer/learning/ranking_lists.h"
#include "trainer/learning/trained_network.h"
#include "trainer/learning/training_links.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

constexpr int kDim = 8;

// The planted graph with everything that training reads.
class NetworkTrainingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    WritePlantedFiles(directory_, 3);
    EdgeListImportOptions import;
    import.train = directory_ / "train.txt";
    import.held_out = {directory_ / "valid.txt"};
    imported_ = *ImportEdgeList(import);
    graph_ = *GraphSnapshot::Build(imported_.data);
    sampler_ = *NegativeSampler::Create(*graph_, NegativeMix{});
    TrainingExampleOptions example_options;
    example_options.seed = 1;
    examples_.emplace(graph_.get(), sampler_.get(), AllLinks(*graph_),
                      example_options);
    const LinkEncoder raw({}, graph_->relation_count(), 1, EncoderTables{});
    const size_t width = raw.pair_features().names().size();
    const ExampleChunk sample =
        examples_->Encode(raw, examples_->EpochPositives(0, 200), 0, 1);
    std::vector<float> rows;
    for (const EncodedLink& link : sample.links) {
      rows.insert(rows.end(), link.pair_features.begin(),
                  link.pair_features.end());
    }
    EncoderTables tables;
    tables.scaling = FeatureScaling::Fit(rows, width);
    encoder_.emplace(LinkEncoderOptions{}, graph_->relation_count(), 1,
                     std::move(tables));
    for (const LabelledLink& example : imported_.held_out[0]) {
      valid_.links.push_back(encoder_->Encode(*graph_, example.link));
      valid_.labels.push_back(example.positive ? 1.0f : 0.0f);
      valid_.weights.push_back({1, 1});
    }
    options_.relation_count = static_cast<int>(graph_->relation_count());
    options_.embedding_dim = kDim;
    options_.pair_features = static_cast<int>(width);
    at::manual_seed(1);
    data_ = {&*examples_,
             &*encoder_,
             &valid_,
             nullptr,
             {},
             at::randn({static_cast<int64_t>(graph_->node_count()), kDim})};
    training_.epochs = 3;
    training_.batch_size = 64;
  }

  torch::jit::Module Network() const { return *BuildNetwork(options_, 2); }

  TempDirectory directory_;
  ImportedGraph imported_;
  std::shared_ptr<const GraphSnapshot> graph_;
  std::unique_ptr<NegativeSampler> sampler_;
  std::optional<TrainingExamples> examples_;
  std::optional<LinkEncoder> encoder_;
  ExampleChunk valid_;
  NetworkOptions options_;
  TrainingData data_;
  NetworkTrainingOptions training_;
};

at::Tensor Parameter(const torch::jit::Module& network,
                     const std::string& name) {
  return network.attr(name).toTensor().detach().clone();
}

TEST_F(NetworkTrainingTest, LearnsThePlantedCommunities) {
  torch::jit::Module network = Network();
  const auto structural =
      TrainNetworks({&network, 1}, TrainingScope::kStructural, data_, training_,
                    "structural");
  ASSERT_TRUE(structural.ok()) << structural.status();
  EXPECT_LT((*structural)[0].losses.back(), 0.6);
  EXPECT_GT((*structural)[0].valid_auroc.back(), 0.9);
  const auto whole = TrainNetworks({&network, 1}, TrainingScope::kWhole, data_,
                                   training_, "whole");
  ASSERT_TRUE(whole.ok()) << whole.status();
  EXPECT_GT((*whole)[0].valid_auroc.back(), 0.9);
}

// No valid row is a negative of the second question, so that it has no AUROC.
TEST_F(NetworkTrainingTest, AQuestionThatValidCannotMeasureStopsNoTraining) {
  for (size_t i = 0; i < valid_.links.size(); ++i) {
    if (valid_.labels[i] == 0) valid_.weights[i] = {1, 0};
  }
  torch::jit::Module network = Network();
  const at::Tensor before = Parameter(network, "structural_weight1");
  const auto trained = TrainNetworks({&network, 1}, TrainingScope::kStructural,
                                     data_, training_, "structural");
  ASSERT_TRUE(trained.ok()) << trained.status();
  EXPECT_FALSE(at::equal(before, Parameter(network, "structural_weight1")));
  EXPECT_GT((*trained)[0].valid_auroc.back(), 0.7);
}

TEST_F(NetworkTrainingTest, StructuralScopeLeavesTheRestAlone) {
  torch::jit::Module network = Network();
  const at::Tensor embed = Parameter(network, "embed_weight");
  const at::Tensor structural = Parameter(network, "structural_weight1");
  ASSERT_TRUE(TrainNetworks({&network, 1}, TrainingScope::kStructural, data_,
                            training_, "structural")
                  .ok());
  EXPECT_TRUE(at::equal(embed, Parameter(network, "embed_weight")));
  EXPECT_FALSE(at::equal(structural, Parameter(network, "structural_weight1")));
}

TEST_F(NetworkTrainingTest, FineTuningMovesTheEncoderAndNotTheEmbeddings) {
  torch::jit::Module network = Network();
  const at::Tensor table = data_.embeddings.clone();
  const at::Tensor embed = Parameter(network, "embed_weight");
  ASSERT_TRUE(TrainNetworks({&network, 1}, TrainingScope::kWhole, data_,
                            training_, "whole")
                  .ok());
  EXPECT_TRUE(at::equal(table, data_.embeddings));
  EXPECT_FALSE(at::equal(embed, Parameter(network, "embed_weight")));
}

// Random vectors are trained; attributes of nodes, which are the columns behind
// them, stay.
TEST_F(NetworkTrainingTest, FineTuningMovesTheColumnsToBeTrainedAlone) {
  constexpr int kTrained = 5;
  const at::Tensor table = data_.embeddings.clone();
  training_.trained_columns = kTrained;
  std::vector<at::Tensor> trained;
  for (const int replicas : {1, 2}) {
    data_.embeddings = table.clone();
    training_.replicas = replicas;
    torch::jit::Module network = Network();
    ASSERT_TRUE(TrainNetworks({&network, 1}, TrainingScope::kWhole, data_,
                              training_, "whole")
                    .ok());
    const at::Tensor moved = data_.embeddings - table;
    EXPECT_GT(moved.narrow(1, 0, kTrained).abs().max().item<float>(), 1e-3);
    EXPECT_TRUE(at::equal(moved.narrow(1, kTrained, kDim - kTrained),
                          at::zeros({table.size(0), kDim - kTrained})));
    trained.push_back(data_.embeddings);
  }
  EXPECT_LT((trained[0] - trained[1]).abs().max().item<float>(), 0.1);
}

TEST_F(NetworkTrainingTest, TheStructuralScorerTrainsNoEmbeddings) {
  const at::Tensor table = data_.embeddings.clone();
  training_.trained_columns = kDim;
  torch::jit::Module network = Network();
  ASSERT_TRUE(TrainNetworks({&network, 1}, TrainingScope::kStructural, data_,
                            training_, "structural")
                  .ok());
  EXPECT_TRUE(at::equal(table, data_.embeddings));
}

TEST_F(NetworkTrainingTest, PretrainingMovesTheColumnsToBeTrainedAlone) {
  for (const int trained : {0, 3, kDim}) {
    at::Tensor table = data_.embeddings.clone();
    torch::jit::Module network = Network();
    PretrainingOptions pretraining;
    pretraining.trained_columns = trained;
    ASSERT_TRUE(PretrainNetwork(network, GraphView(*graph_),
                                ContextGenerator(ContextOptions{}), table,
                                pretraining)
                    .ok());
    const at::Tensor moved = (table - data_.embeddings).abs();
    for (int column = 0; column < kDim; ++column) {
      EXPECT_EQ(moved.select(1, column).max().item<float>() > 1e-4,
                column < trained);
    }
  }
}

// All layers are read, so that all layers' parameters matter to the masked
// node, those of the first layer's output not only through the last layer.
TEST_F(NetworkTrainingTest, PretrainingReadsTheLayersThatTheScoreReads) {
  options_.head = ScoreHead::kDot;
  options_.pair_features = 0;
  options_.layers = 3;
  for (const LayerReadout readout :
       {LayerReadout::kLast, LayerReadout::kAllConcatenated}) {
    options_.readout = readout;
    torch::jit::Module network = Network();
    EXPECT_EQ(network.get_method("encoding_width")({}).toInt(),
              options_.hidden_dim *
                  (readout == LayerReadout::kAllConcatenated ? 3 : 1));
    const at::Tensor head = Parameter(network, "head_weight");
    PretrainingOptions pretraining;
    pretraining.epochs = 10;
    pretraining.batch_size = 32;
    pretraining.learning_rate = 3e-3;
    const auto summary = PretrainNetwork(network, GraphView(*graph_),
                                         ContextGenerator(ContextOptions{}),
                                         data_.embeddings, pretraining);
    ASSERT_TRUE(summary.ok()) << summary.status();
    EXPECT_LT(summary->losses.back(), summary->losses.front());
    EXPECT_TRUE(at::equal(head, Parameter(network, "head_weight")));
  }
}

TEST_F(NetworkTrainingTest, OneThreadIsReproducible) {
  torch::jit::Module a = Network(), b = Network();
  for (torch::jit::Module* network : {&a, &b}) {
    ASSERT_TRUE(TrainNetworks({network, 1}, TrainingScope::kWhole, data_,
                              training_, "whole")
                    .ok());
  }
  for (const auto& parameter : a.named_parameters()) {
    EXPECT_TRUE(at::equal(parameter.value, b.attr(parameter.name).toTensor()))
        << parameter.name;
  }
}

TEST_F(NetworkTrainingTest, ALossThatExplodesIsReported) {
  torch::jit::Module network = Network();
  training_.learning_rate = 1e30;
  const auto trained = TrainNetworks({&network, 1}, TrainingScope::kWhole,
                                     data_, training_, "whole");
  EXPECT_EQ(trained.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(NetworkTrainingTest, PretrainingLowersItsLossAndSparesTheScores) {
  for (const size_t full_softmax_nodes : {size_t{20000}, size_t{10}}) {
    torch::jit::Module network = Network();
    const at::Tensor head = Parameter(network, "head_weight1");
    const at::Tensor embed = Parameter(network, "embed_weight");
    PretrainingOptions pretraining;
    pretraining.epochs = 15;
    pretraining.batch_size = 32;
    pretraining.learning_rate = 3e-3;
    pretraining.full_softmax_nodes = full_softmax_nodes;
    pretraining.samples = 64;
    const auto summary = PretrainNetwork(network, GraphView(*graph_),
                                         ContextGenerator(ContextOptions{}),
                                         data_.embeddings, pretraining);
    ASSERT_TRUE(summary.ok()) << summary.status();
    EXPECT_LT(summary->losses.back(), 0.95 * summary->losses.front());
    EXPECT_TRUE(at::equal(head, Parameter(network, "head_weight1")));
    EXPECT_FALSE(at::equal(embed, Parameter(network, "embed_weight")));
  }
}

bool IsFinite(const torch::jit::Module& network) {
  for (const at::Tensor& parameter : network.parameters()) {
    if (!at::isfinite(parameter).all().item<bool>()) return false;
  }
  return true;
}

bool Holds(const EncodedLink& link, NodeId node) {
  for (const ContextSubgraph& context : link.contexts) {
    for (const ContextToken& token : context.tokens) {
      if (token.node == node) return true;
    }
  }
  return false;
}

TEST_F(NetworkTrainingTest, LossThatIsNoNumberFromTheStartIsRefused) {
  data_.embeddings.fill_(NAN);
  torch::jit::Module network = Network();
  const auto trained = TrainNetworks({&network, 1}, TrainingScope::kWhole,
                                     data_, training_, "fine-tuning");
  EXPECT_EQ(trained.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(
      std::string(trained.status().message()),
      HasSubstr("fine-tuning: the loss is not a number at a learning rate of"));
  EXPECT_TRUE(IsFinite(network));
}

TEST_F(NetworkTrainingTest, LossThatStopsBeingANumberKeepsTheBestEpoch) {
  training_.epochs = 6;
  training_.positives_per_epoch = 4;  // so that some nodes come late
  const at::Tensor embeddings = data_.embeddings.clone();
  const ExampleChunk valid = valid_;
  int stopped = 0;
  for (NodeId spoilt = 0; spoilt < 15; ++spoilt) {
    data_.embeddings.copy_(embeddings);
    data_.embeddings[spoilt].fill_(NAN);
    valid_ = {};
    for (size_t i = 0; i < valid.links.size(); ++i) {
      if (Holds(valid.links[i], spoilt)) continue;
      valid_.links.push_back(valid.links[i]);
      valid_.labels.push_back(valid.labels[i]);
      valid_.weights.push_back(valid.weights[i]);
    }
    torch::jit::Module network = Network();
    const auto trained = TrainNetworks({&network, 1}, TrainingScope::kWhole,
                                       data_, training_, "fine-tuning");
    EXPECT_TRUE(IsFinite(network)) << spoilt;
    if (!trained.ok()) {
      EXPECT_EQ(trained.status().code(), absl::StatusCode::kInvalidArgument);
      continue;
    }
    stopped += (*trained)[0].losses.size() < 6;
    EXPECT_LT((*trained)[0].best_epoch, (*trained)[0].losses.size());
  }
  EXPECT_GT(stopped, 0);
}

TEST_F(NetworkTrainingTest, PretrainingNeedsALink) {
  GraphData lonely = imported_.data;
  lonely.links.clear();
  const auto graph = *GraphSnapshot::Build(lonely);
  torch::jit::Module network = Network();
  EXPECT_EQ(
      PretrainNetwork(network, GraphView(*graph),
                      ContextGenerator(ContextOptions{}), data_.embeddings, {})
          .status()
          .code(),
      absl::StatusCode::kFailedPrecondition);
}

// The answers of lists are those of a rule that the examples do not show: an
// even target. Only the listwise loss can teach it.
TEST_F(NetworkTrainingTest, ListsTeachWhatTheyOrder) {
  std::vector<HardQuestion> questions;
  for (const Link& link : AllLinks(*graph_)) {
    if (questions.size() == 100) break;
    HardQuestion question{
        {link.source, link.relation, link.target & ~1u}, Direction::kOut, {}};
    for (NodeId node = 1; node < 41; node += 2) question.rivals.push_back(node);
    questions.push_back(std::move(question));
  }
  const auto mean_loss = [&](torch::jit::Module& network) {
    const ListChunk chunk =
        EncodeLists(*examples_, *encoder_, questions, {.length = 6, .seed = 9});
    TrainedNetwork scored(&network, TrainingScope::kWhole, data_.embeddings,
                          NetworkTrainingOptions());
    const std::vector<float> scores = scored.Score(chunk);
    double loss = 0;
    for (size_t list = 0; list < chunk.lists(); ++list) {
      double sum = 0;
      for (size_t k = 0; k < 6; ++k) {
        sum += std::exp(scores[(list * 6 + k) * 6 + 1]);
      }
      loss += std::log(sum) - scores[list * 36 + 1];
    }
    return loss / static_cast<double>(chunk.lists());
  };
  torch::jit::Module without = Network(), with = Network();
  training_.list_length = 6;
  training_.learning_rate = 1e-2;
  ASSERT_TRUE(TrainNetworks({&without, 1}, TrainingScope::kWhole, data_,
                            training_, "without")
                  .ok());
  data_.questions = questions;
  training_.lists_per_epoch = questions.size();
  ASSERT_TRUE(
      TrainNetworks({&with, 1}, TrainingScope::kWhole, data_, training_, "with")
          .ok());
  EXPECT_LT(mean_loss(with), 0.8 * mean_loss(without));
}

}  // namespace
}  // namespace slice
