#include "model/variant_scoring.h"

#include <algorithm>
#include <utility>

#include "common/status_macros.h"
#include "model/context_batch.h"

namespace slice {
namespace {

constexpr size_t kLinksAtOnce = 64;  // in one call of the scorer

// Adds the logits of links of one relation by the structural scorer, which is
// much cheaper to run alone than all of the network.
absl::Status AddStructuralLogits(std::span<const EncodedLink> links,
                                 const BatchScorer& scorer,
                                 std::vector<float>& logits) {
  std::vector<float> rows;
  for (const EncodedLink& link : links) {
    rows.insert(rows.end(), link.pair_features.begin(),
                link.pair_features.end());
  }
  SLICE_ASSIGN_OR_RETURN(const std::vector<StructuralLogits> scored,
                         scorer.ScoreStructural(links[0].link.relation, rows,
                                                links[0].pair_features.size()));
  constexpr auto kQuestion = static_cast<size_t>(Question::kPlausible);
  for (size_t i = 0; i < links.size(); ++i) {
    logits.push_back(scored[i][kQuestion] +
                     links[i].knowledge_logits[kQuestion]);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<float>> StructuralLogitsOf(
    std::span<const EncodedLink> links, const BatchScorer& scorer) {
  std::vector<float> logits;
  for (size_t begin = 0, end = 0; begin < links.size(); begin = end) {
    while (end < links.size() &&
           links[end].link.relation == links[begin].link.relation)
      ++end;
    SLICE_RETURN_IF_ERROR(
        AddStructuralLogits(links.subspan(begin, end - begin), scorer, logits));
  }
  return logits;
}

// Scores a bounded number of links at a time.
absl::StatusOr<std::vector<Prediction>> PredictEncoded(
    std::span<const EncodedLink> links, const BatchScorer& scorer) {
  std::vector<Prediction> predictions;
  for (size_t begin = 0; begin < links.size(); begin += kLinksAtOnce) {
    std::vector<const EncodedLink*> batch;
    const size_t end = std::min(begin + kLinksAtOnce, links.size());
    for (size_t i = begin; i < end; ++i) batch.push_back(&links[i]);
    SLICE_ASSIGN_OR_RETURN(const std::vector<Prediction> scored,
                           scorer.Predict(ContextBatch::Assemble(batch)));
    predictions.insert(predictions.end(), scored.begin(), scored.end());
  }
  return predictions;
}

}  // namespace

ScorerReads WhatScorerReads(const OutputReading& reading,
                            const EncodedLink& link) {
  if (reading.scorer == Scorer::kContext) return ScorerReads::kContexts;
  return reading.scorer == Scorer::kStructural && !link.pair_features.empty()
             ? ScorerReads::kPairFeatures
             : ScorerReads::kEnds;
}

float LogitOf(const Prediction& prediction, const OutputReading& reading) {
  return prediction.Logit(reading.scorer, Question::kPlausible);
}

absl::StatusOr<std::vector<float>> LogitsOf(std::span<const EncodedLink> links,
                                            const OutputReading& reading,
                                            const BatchScorer& scorer) {
  if (!links.empty() &&
      WhatScorerReads(reading, links[0]) == ScorerReads::kPairFeatures) {
    return StructuralLogitsOf(links, scorer);
  }
  SLICE_ASSIGN_OR_RETURN(const std::vector<Prediction> predictions,
                         PredictEncoded(links, scorer));
  std::vector<float> logits;
  for (const Prediction& prediction : predictions) {
    logits.push_back(LogitOf(prediction, reading));
  }
  return logits;
}

absl::StatusOr<std::vector<std::vector<float>>> ScoreVariants(
    std::span<const ScoredEvidence> links, Variants all,
    const BatchScorer& scorer) {
  std::vector<std::vector<float>> logits(links.size());
  std::vector<EncodedLink> by_network;
  std::vector<size_t> link_of;  // of each link in by_network
  for (size_t i = 0; i < links.size(); ++i) {
    std::vector<EncodedLink>& variants = all[i];
    if (links[i].evidence->reads() == ScorerReads::kPairFeatures) {
      SLICE_ASSIGN_OR_RETURN(logits[i], StructuralLogitsOf(variants, scorer));
      continue;
    }
    for (EncodedLink& variant : variants) {
      by_network.push_back(std::move(variant));
      link_of.push_back(i);
    }
  }
  SLICE_ASSIGN_OR_RETURN(const std::vector<Prediction> predictions,
                         PredictEncoded(by_network, scorer));
  for (size_t v = 0; v < predictions.size(); ++v) {
    const size_t i = link_of[v];
    logits[i].push_back(LogitOf(predictions[v], links[i].reading));
  }
  return logits;
}

}  // namespace slice
