// The options of the paper's method, from FitOptions to a bundle. Offline
// evaluation of the bundle must give the figures of the run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "common/files.h"
#include "common/sha256.h"
#include "tests/trainer/fit_options_in.h"
#include "tests/trainer/planted_files.h"
#include "trainer/evaluation/evaluation.h"
#include "trainer/evaluation/offline_model.h"
#include "trainer/fit/fit.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class PaperOptionsTest : public ::testing::Test {
 protected:
  PaperOptionsTest() { WritePlantedFiles(directory_, 7); }

  FitOptions Options(const std::string& preset) const {
    FitOptions options = FitOptionsIn(directory_);
    EXPECT_TRUE(options.ApplyPreset(preset).ok());
    options.node2vec.dim = 16;
    options.node2vec.walks_per_node = 5;
    options.node2vec.walk_length = 20;
    options.spectral_rank = 0;
    options.structural_epochs = 1;
    options.pretrain_epochs = 1;
    options.fine_tune_epochs = 1;
    options.batch_size = 64;
    options.network.hidden_dim = 16;
    options.network.heads = 2;
    options.network.head_dim = 8;
    options.network.feed_forward_dim = 16;
    return options;
  }

  // Fits, scores test again from the bundle alone, and expects the same AUROC.
  void FitAndReadBack(const FitOptions& options) {
    const absl::Status status = Fit(options);
    ASSERT_TRUE(status.ok()) << status;
    auto model = OfflineModel::Open(options.out);
    ASSERT_TRUE(model.ok()) << model.status();
    model_ = *std::move(model);
    const auto labelled = *ReadLabelledLinks(options.test, model_->graph());
    const auto scored = *ScoreSplit(model_->scoring(), labelled, KnownLinks(),
                                    {.sets = {NegativeSet::kPublished}});
    auroc_ =
        Auroc(scored.model().of(Question::kPlausible), scored.links.labels);
    // Other batches may round two equal scores differently.
    EXPECT_NEAR(auroc_, manifest().metrics.at("test.auroc"), 2e-4);
    report_ = *ReadFile(options.out / "report/report.txt") +
              *ReadFile(options.out / "report/report.json");
  }

  const BundleManifest& manifest() const { return model_->bundle().manifest(); }

  TempDirectory directory_;
  std::unique_ptr<OfflineModel> model_;
  double auroc_ = 0;
  std::string report_;
};

class ContextOptionsTest
    : public PaperOptionsTest,
      public ::testing::WithParamInterface<ContextStrategy> {};

TEST_P(ContextOptionsTest, AreRecordedAndReadBack) {
  FitOptions options = Options("paper");
  options.context.strategy = GetParam();
  options.context.beam_width = 3;
  if (UsesSeed(GetParam())) options.contexts_per_link = 2;
  FitAndReadBack(options);
  EXPECT_EQ(manifest().context.strategy, GetParam());
  EXPECT_EQ(manifest().context.beam_width, 3);
  EXPECT_EQ(manifest().reading.pooling, ContextPooling::kMax);
  EXPECT_EQ(manifest().context.metapaths.empty(),
            GetParam() != ContextStrategy::kPatternPaths);
  EXPECT_FALSE(manifest().leaky);
  EXPECT_THAT(report_, Not(HasSubstr("LEAKY")));
  EXPECT_THAT(report_,
              HasSubstr("Of the test file, training used only the node keys"));
  EXPECT_THAT(report_, HasSubstr("These links set which kinds of negatives"));
}

INSTANTIATE_TEST_SUITE_P(All, ContextOptionsTest,
                         ::testing::ValuesIn(AllContextStrategies().begin(),
                                             AllContextStrategies().end()),
                         [](const auto& info) {
                           return std::string(ContextStrategyName(info.param));
                         });

TEST_F(PaperOptionsTest, GivenMetapathsAreFollowed) {
  FitOptions options = Options("paper");
  options.context.strategy = ContextStrategy::kPatternPaths;
  options.metapaths = {"likes,^likes", "knows=likes,knows"};
  FitAndReadBack(options);
  EXPECT_EQ(manifest().context.metapaths.size(), 2u);
  options.metapaths = {"likes,hates"};
  EXPECT_EQ(Fit(options).code(), absl::StatusCode::kNotFound);
}

TEST_F(PaperOptionsTest, LeakyPresetSaysSoEverywhere) {
  const FitOptions options = Options("paper-leaky");
  FitAndReadBack(options);
  EXPECT_TRUE(manifest().leaky);
  EXPECT_EQ(manifest().preset, "paper-leaky");
  EXPECT_EQ(manifest().own_pair_links, OwnPairLinks::kShow);
  EXPECT_THAT(report_, HasSubstr("slice (LEAKY)"));
  EXPECT_THAT(report_, HasSubstr("LEAKY: embeddings and pre-training saw"));
  EXPECT_THAT(report_, Not(HasSubstr("used only the node keys")));
  // A link of the graph is shown to itself, by the encoder of the bundle too.
  const auto encoder = *model_->bundle().MakeEncoder();
  const GraphSnapshot& graph = model_->graph();
  Link link;
  while (graph.Arcs(link.source, Direction::kOut).size() == 0) ++link.source;
  const ArcSpan arcs = graph.Arcs(link.source, Direction::kOut);
  link.relation = arcs.relations[0];
  link.target = arcs.neighbors[0];
  EXPECT_TRUE(encoder->QueryView(graph, link).HasLink(link));
}

TEST_F(PaperOptionsTest, WithoutFineTuningThePretrainedNetworkScores) {
  FitOptions options = Options("paper");
  options.without_fine_tuning = true;
  FitAndReadBack(options);
  const std::filesystem::path work = options.out.string() + ".work";
  EXPECT_EQ(*Sha256File(work / "pretrained.pt"),
            *Sha256File(options.out / "model.pt"));
  FitOptions pair = Options("default");
  pair.without_fine_tuning = true;
  EXPECT_THAT(std::string(Fit(pair).message()),
              HasSubstr("--without-fine-tuning needs --score-head dot"));
}

TEST_F(PaperOptionsTest, WithoutGlobalFeaturesLessIsKnown) {
  FitOptions options = Options("paper");
  options.fine_tune_epochs = 10;
  options.fine_tune_learning_rate = 5e-3;
  FitAndReadBack(options);
  const double with = auroc_;
  options.SetEmbeddings("random");
  options.out = directory_ / "random";
  FitAndReadBack(options);
  EXPECT_EQ(manifest().embedding_dim, 16);
  EXPECT_LT(auroc_, with);
}

}  // namespace
}  // namespace slice
