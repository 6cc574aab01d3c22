#include "server/pipeline/evidence_weighing.h"

#include <gtest/gtest.h>

#include "context/link_evidence.h"
#include "model/evidence_effects.h"
#include "server/models/model_loader.h"
#include "tests/server/test_server.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_bundle.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

class ExplainedJob final : public LinkJob {
 public:
  ExplainedJob(const v1::PredictLinksRequest* request,
               std::shared_ptr<const ServedModel> model)
      : LinkJob(request, std::move(model), {}) {}
  size_t Reply() override { return 0; }
};

class EvidenceWeighingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ServerOptions options = TestServerOptions();
    options.bundle = directory_ / "bundle";
    options.data_dir = directory_ / "data";
    ASSERT_TRUE(WriteToyBundle(options.bundle).ok());
    auto loaded = LoadModel(options);
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    loaded_ = *std::move(loaded);
    graph_ = loaded_->Graph();
  }

  const ServedModel& model() const { return *loaded_; }
  const GraphSnapshot& graph() const { return *graph_; }

  // The logit of an encoded link by itself.
  float LogitOf(const EncodedLink& encoded) const {
    const EncodedLink* links[] = {&encoded};
    return model()
        .scorer->Predict(ContextBatch::Assemble(links))
        .value()[0]
        .logit;
  }

  // A job of three links that are encoded and scored.
  std::unique_ptr<ExplainedJob> ScoredJob(v1::ExplanationLevel level) {
    request_ = CurlRequest();
    request_.set_explanation_level(level);
    request_.set_scorer(request_scorer_);
    while (request_.links_size() < 3) *request_.add_links() = request_.links(0);
    auto job = std::make_unique<ExplainedJob>(&request_, loaded_);
    job->MakeItems();
    const char* targets[] = {"libssl3", "firefox", "libcurl4"};
    for (size_t i = 0; i < 3; ++i) {
      LinkItem& item = job->items()[i];
      item.link = ToyLink(graph(), "curl", "depends", targets[i]);
      item.encoded = model().encoder->Encode(graph(), item.link);
      item.prediction.logit = LogitOf(item.encoded);
    }
    return job;
  }

  static std::vector<LinkItem*> ItemsOf(ExplainedJob& job) {
    std::vector<LinkItem*> items;
    for (LinkItem& item : job.items()) items.push_back(&item);
    return items;
  }

  TempDirectory directory_;
  std::shared_ptr<const ServedModel> loaded_;
  std::shared_ptr<const GraphSnapshot> graph_;
  v1::PredictLinksRequest request_;
  std::string request_scorer_;
};

// Each item of evidence is weighed as by itself, also with other links.
TEST_F(EvidenceWeighingTest, EffectsAreWhatTheLogitLosesWithoutTheEvidence) {
  const auto job = ScoredJob(v1::EXPLANATION_LEVEL_FULL);
  for (LinkItem& item : job->items()) {
    const EncodedLink* links[] = {&item.encoded};
    item.prediction =
        model().scorer->Predict(ContextBatch::Assemble(links)).value()[0];
  }
  ASSERT_TRUE(AddEvidence(ItemsOf(*job)).ok());
  for (const LinkItem& item : job->items()) {
    ASSERT_FALSE(item.evidence.items.empty());
    ASSERT_EQ(item.evidence.effects.effects.size(), item.evidence.items.size());
    const GraphView view = model().encoder->QueryView(graph(), item.link);
    const LinkEvidence evidence(*model().encoder, model().evidence, view,
                                item.encoded);
    EXPECT_EQ(evidence.items(), item.evidence.items);
    for (const EvidenceEffect& effect : item.evidence.effects.effects) {
      EXPECT_NEAR(
          effect.logit_effect,
          item.prediction.logit - LogitOf(evidence.Without({&effect.item, 1})),
          1e-4);
    }
  }
}

TEST_F(EvidenceWeighingTest, ATokenHasTheEffectOfItsEvidence) {
  const auto job = ScoredJob(v1::EXPLANATION_LEVEL_FULL);
  ASSERT_TRUE(AddEvidence(ItemsOf(*job)).ok());
  size_t compared = 0;
  for (const LinkItem& item : job->items()) {
    std::vector<float> effects(item.encoded.contexts[0].tokens.size());
    for (const EvidenceEffect& effect : item.evidence.effects.effects) {
      const Evidence& evidence = item.evidence.items[effect.item];
      if (evidence.kind != EvidenceKind::kPaths) continue;
      EXPECT_EQ(evidence.type,
                item.encoded.contexts[0].tokens[evidence.token].relations);
      effects[evidence.token] = effect.logit_effect;
      ++compared;
    }
    EXPECT_EQ(item.token_effects, effects);
    EXPECT_EQ(item.token_effects[0], 0);
    EXPECT_EQ(item.token_effects[1], 0);
  }
  EXPECT_GT(compared, 3);
}

// The ends scorer reads no token but the ends. Its evidence is weighed without
// the others, with the same result.
TEST_F(EvidenceWeighingTest, OfTheEndsScorerIsTheSameWithoutTheOtherTokens) {
  request_scorer_ = "ends";
  const auto job = ScoredJob(v1::EXPLANATION_LEVEL_FULL);
  for (LinkItem& item : job->items()) {
    const EncodedLink* links[] = {&item.encoded};
    item.prediction =
        model().scorer->Predict(ContextBatch::Assemble(links)).value()[0];
    item.prediction.Read(item.job->reading());
  }
  ASSERT_TRUE(AddEvidence(ItemsOf(*job)).ok());
  for (const LinkItem& item : job->items()) {
    const GraphView view = model().encoder->QueryView(graph(), item.link);
    const LinkEvidence whole(*model().encoder, model().evidence, view,
                             item.encoded);
    for (const EvidenceEffect& effect : item.evidence.effects.effects) {
      const EncodedLink without = whole.Without({&effect.item, 1});
      const EncodedLink* links[] = {&without};
      const Prediction prediction =
          model().scorer->Predict(ContextBatch::Assemble(links)).value()[0];
      EXPECT_NEAR(effect.logit_effect,
                  item.prediction.logit -
                      prediction.Logit(Scorer::kEnds, Question::kPlausible),
                  1e-4);
    }
  }
}

TEST_F(EvidenceWeighingTest, IsLeftOutUnlessAskedForAndChargedWhenItIs) {
  const auto plain = ScoredJob(v1::EXPLANATION_LEVEL_CONTEXT);
  ASSERT_TRUE(AddEvidence(ItemsOf(*plain)).ok());
  for (const LinkItem& item : plain->items()) {
    EXPECT_TRUE(item.token_effects.empty());
    EXPECT_TRUE(item.evidence.items.empty());
  }
  EXPECT_EQ(plain->work().cost, 3);
  const auto full = ScoredJob(v1::EXPLANATION_LEVEL_FULL);
  EXPECT_EQ(full->work().cost,
            3 * (1 + MostEvidenceRuns(model().manifest.context.max_nodes)));
}

}  // namespace
}  // namespace slice
