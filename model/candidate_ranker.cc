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

std::vector<float> MergeScores(std::span<const float> logits,
                               std::span<const NodeId> candidates,
                               const FirstCandidates& first, Scorer scorer) {
  std::vector<float> scores(candidates.size());
  for (size_t i = 0; i < candidates.size(); ++i) {
    scores[i] = logits[candidates[i]];
  }
  if (first.positions.empty() || scorer == Scorer::kStructural) return scores;
  const auto logit = [scorer](const Prediction& prediction) {
    return prediction.Logit(scorer, Question::kAmongKind);
  };
  float floor = scores[first.positions[0]];  // the rest is not above it
  float lowest = logit(first.predictions[0]);
  for (size_t i = 0; i < first.positions.size(); ++i) {
    floor = std::max(floor, scores[first.positions[i]]);
    lowest = std::min(lowest, logit(first.predictions[i]));
  }
  for (size_t i = 0; i < first.positions.size(); ++i) {
    scores[first.positions[i]] =
        floor + 1 + (logit(first.predictions[i]) - lowest);
  }
  return scores;
}

CandidateRanker::CandidateRanker(const PropagationGraph& graph,
                                 const LinkEncoder& encoder,
                                 const BatchScorer& scorer)
    : snapshot_(&graph.snapshot()),
      encoder_(&encoder),
      scorer_(&scorer),
      features_(graph, encoder) {}

absl::StatusOr<std::vector<float>> CandidateRanker::ScoreAll(
    const EndQuestion& question) {
  SLICE_ASSIGN_OR_RETURN(
      const std::vector<StructuralLogits> logits,
      scorer_->ScoreStructural(question.relation, features_.Compute(question),
                               features_.feature_count()));
  std::vector<float> scores(logits.size());
  for (size_t i = 0; i < logits.size(); ++i) {
    scores[i] = logits[i][static_cast<size_t>(Question::kAmongKind)];
  }
  return scores;
}

absl::StatusOr<FirstCandidates> CandidateRanker::PredictFirst(
    const EndQuestion& question, std::span<const float> logits,
    std::span<const NodeId> candidates, size_t count) const {
  count = std::min(count, candidates.size());
  std::vector<size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::partial_sort(order.begin(), order.begin() + count, order.end(),
                    [&](size_t a, size_t b) {
                      const float score_a = logits[candidates[a]];
                      const float score_b = logits[candidates[b]];
                      if (score_a != score_b) return score_a > score_b;
                      return candidates[a] < candidates[b];
                    });
  order.resize(count);
  std::vector<EncodedLink> encoded;
  for (const size_t position : order) {
    encoded.push_back(
        encoder_->Encode(*snapshot_, question.With(candidates[position])));
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
