#include "model/candidate_ranker.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "common/status_macros.h"
#include "model/context_batch.h"

namespace slice {
namespace {

constexpr size_t kBatch = 64;

size_t TokenCount(const EncodedLink& link) {
  return link.contexts.empty() ? 0 : link.contexts[0].tokens.size();
}

}  // namespace

std::vector<float> MergeScores(const CandidateScores& candidates,
                               const FirstCandidates& first, Scorer scorer) {
  std::vector<float> scores = candidates.scores;
  if (first.positions.empty() || scorer == Scorer::kStructural) return scores;
  const auto score = [&](size_t i) {
    return first.predictions[i].Logit(scorer, Question::kAmongKind) +
           candidates.rule_terms[first.positions[i]];
  };
  float floor = scores[first.positions[0]];  // the rest is not above it
  float lowest = score(0);
  for (size_t i = 0; i < first.positions.size(); ++i) {
    floor = std::max(floor, scores[first.positions[i]]);
    lowest = std::min(lowest, score(i));
  }
  for (size_t i = 0; i < first.positions.size(); ++i) {
    scores[first.positions[i]] = floor + 1 + (score(i) - lowest);
  }
  return scores;
}

CandidateRanker::CandidateRanker(const PropagationGraph& graph,
                                 const LinkEncoder& encoder,
                                 const BatchScorer& scorer,
                                 const std::array<RuleWeights, 2>& weights)
    : snapshot_(&graph.snapshot()),
      encoder_(&encoder),
      scorer_(&scorer),
      weights_(weights),
      features_(graph, encoder) {}

absl::StatusOr<CandidateScores> CandidateRanker::ScoreAll(
    const EndQuestion& question, std::span<const NodeId> candidates) {
  rows_ = features_.Compute(question, candidates);
  SLICE_ASSIGN_OR_RETURN(const std::vector<StructuralLogits> logits,
                         scorer_->ScoreStructural(question.relation, rows_,
                                                  features_.feature_count()));
  const RuleWeights& weights =
      weights_[static_cast<size_t>(question.direction)];
  CandidateScores scores;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const float logit = logits[i][static_cast<size_t>(Question::kAmongKind)];
    const double rules =
        weights.rules == 0
            ? 0
            : weights.rules *
                  features_.RuleScore(candidates[i], weights.constants);
    scores.rule_terms.push_back(static_cast<float>(rules));
    scores.scores.push_back(logit + scores.rule_terms.back());
  }
  return scores;
}

// With the features that the question gave already.
EncodedLink CandidateRanker::Encode(const Link& link, size_t position) const {
  const size_t count = features_.feature_count();
  return encoder_->EncodeWith(encoder_->QueryView(*snapshot_, link), link,
                              rows_.subspan(position * count, count));
}

absl::StatusOr<FirstCandidates> CandidateRanker::PredictFirst(
    const EndQuestion& question, std::span<const NodeId> candidates,
    const CandidateScores& scores, size_t count) const {
  count = std::min(count, candidates.size());
  std::vector<size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::partial_sort(order.begin(), order.begin() + count, order.end(),
                    [&](size_t a, size_t b) {
                      const float score_a = scores.scores[a];
                      const float score_b = scores.scores[b];
                      if (score_a != score_b) return score_a > score_b;
                      return candidates[a] < candidates[b];
                    });
  order.resize(count);
  std::vector<EncodedLink> encoded;
  for (const size_t position : order) {
    encoded.push_back(Encode(question.With(candidates[position]), position));
  }
  std::vector<size_t> by_length(count);
  std::iota(by_length.begin(), by_length.end(), size_t{0});
  std::stable_sort(by_length.begin(), by_length.end(), [&](size_t a, size_t b) {
    return TokenCount(encoded[a]) < TokenCount(encoded[b]);
  });
  FirstCandidates first;
  first.positions = std::move(order);
  first.predictions.resize(count);
  for (size_t begin = 0; begin < count; begin += kBatch) {
    std::vector<const EncodedLink*> links;
    const size_t end = std::min(begin + kBatch, count);
    for (size_t i = begin; i < end; ++i) {
      links.push_back(&encoded[by_length[i]]);
    }
    SLICE_ASSIGN_OR_RETURN(const std::vector<Prediction> predictions,
                           scorer_->Predict(ContextBatch::Assemble(links)));
    for (size_t i = begin; i < end; ++i) {
      first.predictions[by_length[i]] = predictions[i - begin];
    }
  }
  return first;
}

}  // namespace slice
