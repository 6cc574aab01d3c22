#include "model/evidence_effects.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "context/link_evidence.h"
#include "model/context_batch.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

// The logit is a sum over pair features and tokens. Feature i has the weight
// weights[i]; a token between the ends counts token_weight.
class SumScorer final : public BatchScorer {
 public:
  SumScorer(std::vector<float> weights, float token_weight)
      : weights_(std::move(weights)), token_weight_(token_weight) {}

  absl::StatusOr<std::vector<Prediction>> Predict(
      const ContextBatch& batch) const override {
    std::vector<Prediction> predictions(batch.links);
    for (int64_t row = 0; row < batch.rows; ++row) {
      ++runs;
      float logit = token_weight_ * static_cast<float>(batch.row_tokens[row]);
      for (int64_t i = 0; i < batch.pair_features_dim; ++i) {
        logit += weights_[i] *
                 batch.pair_features[row * batch.pair_features_dim + i];
      }
      Prediction& prediction = predictions[batch.row_link[row]];
      prediction.logits[0][0] = prediction.logits[2][0] = logit;
      prediction.AddToLogits(batch.knowledge_logits[batch.row_link[row]]);
      prediction.Read({});
    }
    return predictions;
  }
  absl::StatusOr<ExplainedBatch> Explain(const ContextBatch&) const override {
    return absl::UnimplementedError("not asked for");
  }
  absl::StatusOr<std::vector<StructuralLogits>> ScoreStructural(
      RelationId, std::span<const float> pair_features,
      size_t feature_count) const override {
    std::vector<StructuralLogits> logits(pair_features.size() / feature_count);
    for (size_t i = 0; i < pair_features.size(); ++i) {
      logits[i / feature_count][0] +=
          weights_[i % feature_count] * pair_features[i];
    }
    return logits;
  }

  mutable size_t runs = 0;

 private:
  const std::vector<float> weights_;
  const float token_weight_;
};

Prediction Predicted(const EncodedLink& link, const BatchScorer& scorer) {
  const EncodedLink* links[] = {&link};
  return scorer.Predict(ContextBatch::Assemble(links)).value()[0];
}

class EvidenceEffectsTest : public ::testing::Test {
 protected:
  EvidenceEffectsTest() {
    RandomMultigraphOptions options;
    options.relations = 3;
    graph_ = BuildSnapshotOrDie(RandomMultigraph(options, 3));
    EncoderTables encoder_tables;
    const size_t features = PairFeatures(3, 3).names().size();
    std::vector<float> rows;
    for (size_t i = 0; i < 2 * features; ++i) {
      rows.push_back(i < features ? 0.25f : 2.0f);
    }
    encoder_tables.scaling = FeatureScaling::Fit(rows, features);
    encoder_.emplace(LinkEncoderOptions(), 3, 3, std::move(encoder_tables));
    tables_ = EvidenceTables::Of(*encoder_, *graph_);
  }

  // Weighs the evidence of a few links, one by one, and visits it.
  template <typename Visit>
  void ForEachLink(const SumScorer& scorer, Visit visit) {
    for (NodeId source = 0; source < 8; ++source) {
      const Link link = {source, 1, source + 9};
      const GraphView view = encoder_->QueryView(*graph_, link);
      const EncodedLink whole = encoder_->Encode(view, link);
      const LinkEvidence evidence(*encoder_, tables_, view, whole);
      const Prediction prediction = Predicted(whole, scorer);
      scorer.runs = 0;
      const ScoredEvidence scored{&evidence, prediction, {}};
      auto effects = WeighEvidence({&scored, 1}, scorer);
      ASSERT_TRUE(effects.ok()) << effects.status();
      ASSERT_EQ(effects->size(), 1u);
      visit(evidence, prediction, (*effects)[0]);
    }
  }

  std::vector<float> Weights(FeatureGroup group, float weight) const {
    std::vector<float> weights;
    for (const FeatureGroup of : tables_.groups) {
      weights.push_back(of == group ? weight : 0);
    }
    return weights;
  }
  std::vector<float> MixedWeights() const {
    std::vector<float> weights;
    for (size_t i = 0; i < tables_.groups.size(); ++i) {
      weights.push_back(0.02f * static_cast<float>(i % 7) - 0.05f);
    }
    return weights;
  }
  float LogitOf(const EncodedLink& link, const SumScorer& scorer) const {
    return Predicted(link, scorer).logit;
  }

  std::shared_ptr<const GraphSnapshot> graph_;
  std::optional<LinkEncoder> encoder_;
  EvidenceTables tables_;
};

TEST_F(EvidenceEffectsTest, AreWhatTheLogitLosesGreatestFirst) {
  const SumScorer scorer(MixedWeights(), 0.1f);
  ForEachLink(
      scorer, [&](const LinkEvidence& evidence, const Prediction& prediction,
                  const EvidenceEffects& effects) {
        EXPECT_LE(scorer.runs, MostEvidenceRuns(12));
        ASSERT_EQ(effects.effects.size(), evidence.items().size());
        float last = INFINITY;
        for (const EvidenceEffect& effect : effects.effects) {
          EXPECT_LE(std::abs(effect.logit_effect), last);
          last = std::abs(effect.logit_effect);
          const float without =
              LogitOf(evidence.Without({&effect.item, 1}), scorer);
          EXPECT_NEAR(effect.logit_effect, prediction.logit - without, 1e-4);
          EXPECT_NEAR(effect.probability_without, 1 / (1 + std::exp(-without)),
                      1e-5);
        }
      });
}

TEST_F(EvidenceEffectsTest, OfPathsAreThoseOfTheirEvidence) {
  const SumScorer scorer(MixedWeights(), 0.1f);
  int paths = 0;
  ForEachLink(scorer, [&](const LinkEvidence& evidence,
                          const Prediction& prediction,
                          const EvidenceEffects& effects) {
    const ScoredEvidence link = {&evidence, prediction, {}};
    const auto weighed = WeighPaths({&link, 1}, scorer);
    ASSERT_TRUE(weighed.ok()) << weighed.status();
    std::vector<float> expected(evidence.whole().contexts[0].tokens.size(), 0);
    for (const EvidenceEffect& effect : effects.effects) {
      const Evidence& item = evidence.items()[effect.item];
      if (item.kind != EvidenceKind::kPaths) continue;
      expected[item.token] = effect.logit_effect;
      ++paths;
    }
    ASSERT_EQ((*weighed)[0].size(), expected.size());
    for (size_t token = 0; token < expected.size(); ++token) {
      EXPECT_NEAR((*weighed)[0][token], expected[token], 1e-5);
    }
  });
  EXPECT_GT(paths, 20);
}

// A sum has no interplay: what the parts lose apart, they lose together.
TEST_F(EvidenceEffectsTest, OfGroupsAddUpForASum) {
  const SumScorer scorer(MixedWeights(), 0);
  ForEachLink(scorer, [&](const LinkEvidence& evidence,
                          const Prediction& prediction,
                          const EvidenceEffects& effects) {
    double sum = 0;
    std::vector<size_t> groups;
    for (const EvidenceEffect& effect : effects.effects) {
      if (evidence.items()[effect.item].kind != EvidenceKind::kFeatures) {
        continue;
      }
      groups.push_back(effect.item);
      sum += effect.logit_effect;
    }
    EXPECT_NEAR(sum,
                prediction.logit - LogitOf(evidence.Without(groups), scorer),
                1e-4);
  });
}

// The structural scorer is run alone, on features alone, with the same result,
// also with a knowledge graph embedding.
TEST_F(EvidenceEffectsTest, OfTheStructuralScorerNeedNoContexts) {
  const SumScorer scorer(MixedWeights(), 0);
  OutputReading structural;
  structural.scorer = Scorer::kStructural;
  for (NodeId source = 0; source < 8; ++source) {
    const Link link = {source, 1, source + 9};
    const GraphView view = encoder_->QueryView(*graph_, link);
    EncodedLink whole = encoder_->Encode(view, link);
    whole.knowledge_logits = {0.75f, -0.5f};
    const Prediction prediction = Predicted(whole, scorer);
    const LinkEvidence with_contexts(*encoder_, tables_, view, whole);
    const LinkEvidence alone(*encoder_, tables_, view, whole,
                             WhatScorerReads(structural, whole));
    ASSERT_EQ(alone.reads(), ScorerReads::kPairFeatures);
    ASSERT_EQ(alone.items(), with_contexts.items());
    for (size_t item = 0; item < alone.items().size(); ++item) {
      const EncodedLink without = alone.Without({&item, 1});
      const auto logits = LogitsOf({&without, 1}, structural, scorer);
      ASSERT_TRUE(logits.ok()) << logits.status();
      EXPECT_NEAR((*logits)[0],
                  LogitOf(with_contexts.Without({&item, 1}), scorer), 1e-4);
    }
    const ScoredEvidence scored[] = {{&with_contexts, prediction, {}},
                                     {&alone, prediction, structural}};
    scorer.runs = 0;
    ASSERT_TRUE(WeighEvidence({&scored[1], 1}, scorer).ok());
    EXPECT_EQ(scorer.runs, 0u);
    const auto effects = WeighEvidence(scored, scorer);
    ASSERT_TRUE(effects.ok()) << effects.status();
    const EvidenceEffects &a = (*effects)[0], &b = (*effects)[1];
    EXPECT_EQ(a.Named(), b.Named());
    EXPECT_NEAR(a.probability_only_named, b.probability_only_named, 1e-5);
    for (size_t i = 0; i < a.effects.size(); ++i) {
      EXPECT_EQ(a.effects[i].item, b.effects[i].item);
      EXPECT_NEAR(a.effects[i].logit_effect, b.effects[i].logit_effect, 1e-4);
    }
  }
}

TEST_F(EvidenceEffectsTest, TheGroupThatCarriesTheScoreIsNamed) {
  for (const FeatureGroup group :
       {FeatureGroup::kDegrees, FeatureGroup::kSlots}) {
    const SumScorer scorer(Weights(group, 1), 0);
    ForEachLink(scorer, [&](const LinkEvidence& evidence, const Prediction& p,
                            const EvidenceEffects& effects) {
      if (std::abs(p.logit) < kLeastReason) return;
      ASSERT_EQ(effects.Named().size(), 1u);
      EXPECT_EQ(evidence.items()[effects.Named()[0]].group, group);
      EXPECT_EQ(effects.effects[0].item, effects.Named()[0]);
      EXPECT_NEAR(effects.probability_without_named, 0.5, 1e-5);
      EXPECT_NEAR(effects.probability_only_named, p.probability, 1e-5);
    });
  }
}

TEST_F(EvidenceEffectsTest, OfNoLinkNameWhatSpeaksAgainstIt) {
  const SumScorer scorer(MixedWeights(), 0.1f);
  int opposed = 0;
  ForEachLink(scorer, [&](const LinkEvidence&, const Prediction& prediction,
                          const EvidenceEffects& effects) {
    Prediction read = prediction;
    read.Read({});
    if (read.decision || effects.effects.empty()) return;
    const auto most =
        std::min_element(effects.effects.begin(), effects.effects.end(),
                         [](const EvidenceEffect& a, const EvidenceEffect& b) {
                           return a.logit_effect < b.logit_effect;
                         });
    if (most->logit_effect > -kLeastReason) return;
    ++opposed;
    EXPECT_TRUE(most->named);
    EXPECT_GT(effects.probability_without_named, read.probability);
  });
  EXPECT_GT(opposed, 3);
}

TEST_F(EvidenceEffectsTest, NamesNothingWhenNothingMoves) {
  const SumScorer scorer(std::vector<float>(tables_.groups.size(), 0), 0);
  ForEachLink(scorer, [&](const LinkEvidence&, const Prediction& prediction,
                          const EvidenceEffects& effects) {
    EXPECT_TRUE(effects.Named().empty());
    for (const EvidenceEffect& effect : effects.effects) {
      EXPECT_EQ(effect.logit_effect, 0);
    }
    EXPECT_EQ(effects.probability_without_named, prediction.probability);
    EXPECT_EQ(effects.probability_only_named, prediction.probability);
  });
}

// The explanation then says what the pair is, and no item.
TEST_F(EvidenceEffectsTest, NamesNothingWhereThePairIsTheReason) {
  const SumScorer scorer(Weights(FeatureGroup::kDegrees, 1), 0);
  const Link link = {0, 1, 9};
  const GraphView view = encoder_->QueryView(*graph_, link);
  const EncodedLink whole = encoder_->Encode(view, link);
  const LinkEvidence evidence(*encoder_, tables_, view, whole);
  Prediction prediction = Predicted(whole, scorer);
  ASSERT_GT(std::abs(prediction.logit), kLeastReason);
  const auto weigh = [&] {
    const ScoredEvidence scored{&evidence, prediction, {}};
    return WeighEvidence({&scored, 1}, scorer).value()[0];
  };
  EXPECT_EQ(weigh().Named().size(), 1u);
  prediction.schema_log_odds = -std::abs(prediction.logit) - 1;
  const EvidenceEffects effects = weigh();
  EXPECT_TRUE(effects.Named().empty());
  EXPECT_FLOAT_EQ(effects.probability_without_named,
                  effects.probability_only_named);
}

TEST(PairIsReasonTest, KindsCompeteWithEvidenceAndOneNodeDoesNot) {
  Prediction prediction;
  EXPECT_FALSE(PairIsReason(prediction, 0));
  prediction.schema_log_odds = -5;
  EXPECT_TRUE(PairIsReason(prediction, 4.9f));
  EXPECT_FALSE(PairIsReason(prediction, 5.1f));
  prediction.flags.self = true;
  EXPECT_TRUE(PairIsReason(prediction, 5.1f));
  prediction.schema_log_odds = -0.01f;
  EXPECT_FALSE(PairIsReason(prediction, 0));
}

TEST_F(EvidenceEffectsTest, NamedItemsDoNotContainEachOther) {
  const SumScorer scorer(MixedWeights(), 0.5f);
  ForEachLink(scorer, [&](const LinkEvidence& evidence, const Prediction&,
                          const EvidenceEffects& effects) {
    const std::vector<size_t> named = effects.Named();
    EXPECT_LE(named.size(), kMostReasons);
    for (size_t a = 0; a < named.size(); ++a) {
      for (size_t b = 0; b < a; ++b) {
        EXPECT_FALSE(
            evidence.items()[named[a]].Overlaps(evidence.items()[named[b]]));
      }
    }
    const float only = LogitOf(evidence.Only(named), scorer);
    if (!named.empty()) {
      EXPECT_NEAR(effects.probability_only_named, 1 / (1 + std::exp(-only)),
                  1e-5);
    }
  });
}

}  // namespace
}  // namespace slice
