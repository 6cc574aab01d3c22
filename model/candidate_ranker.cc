#include "model/candidate_ranker.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "common/parallel.h"
#include "common/status_macros.h"
#include "model/context_batch.h"

namespace slice {
namespace {

// What a thread takes at once: links for the network, rows of features for its
// structural part, and links to encode.
constexpr size_t kBatch = 50;
constexpr size_t kRows = 2048;
constexpr size_t kGrain = 16;
// Candidates whose features are in memory at once.
constexpr size_t kPiece = 8192;

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

std::vector<size_t> FirstPositions(std::span<const NodeId> candidates,
                                   const CandidateScores& scores,
                                   size_t count) {
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
  return order;
}

CandidateRanker::CandidateRanker(const PropagationGraph& graph,
                                 const LinkEncoder& encoder,
                                 const BatchScorer& scorer,
                                 const std::array<RuleWeights, 2>& weights,
                                 int threads, EndFeatureCache* ends)
    : snapshot_(&graph.snapshot()),
      encoder_(&encoder),
      scorer_(&scorer),
      weights_(weights),
      threads_(threads),
      features_(graph, encoder, threads, ends) {}

absl::StatusOr<std::vector<StructuralLogits>> CandidateRanker::ScoreRows(
    RelationId relation, std::span<const float> rows) const {
  const size_t width = features_.feature_count();
  const size_t size = kRows * width;
  std::vector<absl::StatusOr<std::vector<StructuralLogits>>> parts(
      (rows.size() + size - 1) / size);
  ParallelFor(parts.size(), 1, threads_, [&](size_t begin, size_t end, int) {
    for (size_t i = begin; i < end; ++i) {
      parts[i] = scorer_->ScoreStructural(
          relation,
          rows.subspan(i * size, std::min(size, rows.size() - i * size)),
          width);
    }
  });
  std::vector<StructuralLogits> logits;
  for (const auto& part : parts) {
    SLICE_RETURN_IF_ERROR(part.status());
    logits.insert(logits.end(), part->begin(), part->end());
  }
  return logits;
}

void CandidateRanker::AddScores(const EndQuestion& question,
                                std::span<const NodeId> nodes,
                                std::span<const StructuralLogits> logits,
                                CandidateScores& scores) {
  const RuleWeights& weights =
      weights_[static_cast<size_t>(question.direction)];
  for (size_t i = 0; i < nodes.size(); ++i) {
    const float logit = logits[i][static_cast<size_t>(Question::kAmongKind)];
    const double rules =
        weights.rules == 0
            ? 0
            : weights.rules * features_.RuleScore(nodes[i], weights.constants);
    scores.rule_terms.push_back(static_cast<float>(rules));
    scores.scores.push_back(logit + scores.rule_terms.back());
  }
}

absl::StatusOr<CandidateScores> CandidateRanker::ScoreAll(
    const EndQuestion& question, std::span<const NodeId> candidates,
    const WorkCheck& check) {
  features_.Ask(question);
  CandidateScores scores;
  for (size_t begin = 0; begin < candidates.size(); begin += kPiece) {
    if (check) SLICE_RETURN_IF_ERROR(check());
    const auto nodes =
        candidates.subspan(begin, std::min(kPiece, candidates.size() - begin));
    SLICE_ASSIGN_OR_RETURN(const std::vector<StructuralLogits> logits,
                           ScoreRows(question.relation, features_.Rows(nodes)));
    AddScores(question, nodes, logits, scores);
  }
  return scores;
}

absl::StatusOr<std::vector<Prediction>> CandidateRanker::PredictNodes(
    const EndQuestion& question, std::span<const NodeId> nodes) {
  const size_t count = nodes.size();
  const size_t width = features_.feature_count();
  const std::span<const float> rows = features_.Rows(nodes);
  std::vector<EncodedLink> encoded(count);
  ParallelFor(count, kGrain, threads_, [&](size_t begin, size_t end, int) {
    for (size_t i = begin; i < end; ++i) {
      const Link link = question.With(nodes[i]);
      encoded[i] = encoder_->EncodeWith(encoder_->QueryView(*snapshot_, link),
                                        link, rows.subspan(i * width, width));
    }
  });
  std::vector<size_t> by_length(count);
  std::iota(by_length.begin(), by_length.end(), size_t{0});
  std::stable_sort(by_length.begin(), by_length.end(), [&](size_t a, size_t b) {
    return TokenCount(encoded[a]) < TokenCount(encoded[b]);
  });
  std::vector<Prediction> predictions(count);
  std::vector<absl::Status> statuses((count + kBatch - 1) / kBatch);
  ParallelFor(statuses.size(), 1, threads_, [&](size_t begin, size_t end, int) {
    for (size_t i = begin; i < end; ++i) {
      const size_t from = i * kBatch;
      statuses[i] = PredictBatch(
          encoded,
          std::span(by_length).subspan(from, std::min(kBatch, count - from)),
          predictions);
    }
  });
  for (const absl::Status& status : statuses) SLICE_RETURN_IF_ERROR(status);
  return predictions;
}

absl::StatusOr<FirstCandidates> CandidateRanker::PredictFirst(
    const EndQuestion& question, std::span<const NodeId> candidates,
    const CandidateScores& scores, size_t count) {
  FirstCandidates first;
  first.positions = FirstPositions(candidates, scores, count);
  std::vector<NodeId> nodes;
  for (const size_t position : first.positions) {
    nodes.push_back(candidates[position]);
  }
  SLICE_ASSIGN_OR_RETURN(first.predictions, PredictNodes(question, nodes));
  return first;
}

// Predicts `encoded` at some positions, into the same of `predictions`.
absl::Status CandidateRanker::PredictBatch(
    std::span<const EncodedLink> encoded, std::span<const size_t> positions,
    std::vector<Prediction>& predictions) const {
  std::vector<const EncodedLink*> links;
  for (const size_t position : positions) links.push_back(&encoded[position]);
  SLICE_ASSIGN_OR_RETURN(const std::vector<Prediction> of_batch,
                         scorer_->Predict(ContextBatch::Assemble(links)));
  for (size_t i = 0; i < positions.size(); ++i) {
    predictions[positions[i]] = of_batch[i];
  }
  return absl::OkStatus();
}

}  // namespace slice
