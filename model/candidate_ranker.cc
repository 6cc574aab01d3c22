// A question is answered in two passes, both on several threads:
//   1. ScoreAll sums the paths from the known end to all nodes once (the
//      propagation), then cuts the candidates into pieces. For each piece it
//      computes the pair features, calls the ranking network once (where there
//      is none, the structural scorer), and adds the terms of the knowledge
//      graph embedding and of rules. When a piece fails, the remaining pieces
//      are skipped.
//   2. PredictNodes encodes the links of a few nodes; their pair features come
//      from the same propagation. It sorts the links by length, so that batches
//      have little padding, and runs the network over the batches.
#include "model/candidate_ranker.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "common/parallel.h"
#include "common/status_macros.h"
#include "model/context_batch.h"

namespace slice {
namespace {

constexpr size_t kBatch = 50;  // links in a call of the network
// Candidates in a call of the structural scorer: so few that their features
// stay in the second-level cache.
constexpr size_t kPiece = 384;
constexpr size_t kGrain = 16;  // links that a thread encodes at once

size_t TokenCount(const EncodedLink& link) {
  return link.contexts.empty() ? 0 : link.contexts[0].tokens.size();
}

}  // namespace

std::vector<float> MergeScores(const CandidateScores& candidates,
                               const FirstCandidates& first, Scorer scorer) {
  std::vector<float> scores = candidates.scores;
  if (first.positions.empty() || scorer == Scorer::kStructural) return scores;
  const auto score = [&](size_t i) {
    return candidates.scores[first.positions[i]] +
           RerankTerm(first.predictions[i], scorer);
  };
  // The highest structural score of the first candidates: no other candidate
  // has a higher one.
  float floor = scores[first.positions[0]];
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
                                 const CandidateRankerOptions& options)
    : snapshot_(&graph.snapshot()),
      encoder_(&encoder),
      scorer_(&scorer),
      weights_(options.weights),
      threads_(options.threads),
      features_(graph, encoder, options.threads, options.ends) {}

// Scores candidates [begin, end).
absl::Status CandidateRanker::ScorePiece(const EndQuestion& question,
                                         std::span<const NodeId> candidates,
                                         size_t begin, size_t end,
                                         CandidateScores& scores) const {
  const size_t width = features_.feature_count();
  const auto nodes = candidates.subspan(begin, end - begin);
  thread_local std::vector<float> rows;  // its memory is reused
  rows.resize(nodes.size() * width);
  features_.ComputeRows(nodes, rows);
  SLICE_ASSIGN_OR_RETURN(
      const std::vector<float> by_structure,
      scorer_->ScoreForRanking(question.relation, rows, width));
  thread_local std::vector<float> knowledge;  // its memory is reused
  knowledge.assign(nodes.size(), 0.0f);
  if (const auto& vectors = encoder_->tables().knowledge) {
    vectors->RankingTermOfEach(question, point_, nodes, knowledge);
  }
  const RuleWeights& weights = WeightsOf(question);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const double rules =
        weights.rules == 0
            ? 0
            : weights.rules * features_.RuleScore(nodes[i], weights.constants);
    scores.scores[begin + i] =
        by_structure[i] + knowledge[i] + static_cast<float>(rules);
  }
  return absl::OkStatus();
}

absl::StatusOr<CandidateScores> CandidateRanker::ScoreAll(
    const EndQuestion& question, std::span<const NodeId> candidates,
    const WorkCheck& check) {
  const RuleWeights& weights = WeightsOf(question);
  features_.Ask(question, weights.rules != 0 && weights.constants > 0);
  if (const auto& vectors = encoder_->tables().knowledge) {
    vectors->Prepare(question, point_);
  }
  const size_t count = candidates.size();
  CandidateScores scores{std::vector<float>(count)};
  std::vector<absl::Status> statuses((count + kPiece - 1) / kPiece);
  std::atomic<bool> stop{false};
  ParallelFor(count, kPiece, threads_,
              [&](size_t begin, size_t end, int worker) {
                if (stop.load(std::memory_order_relaxed)) return;
                absl::Status& status = statuses[begin / kPiece];
                if (worker == 0 && check) status = check();
                if (status.ok()) {
                  status = ScorePiece(question, candidates, begin, end, scores);
                }
                if (!status.ok()) stop.store(true, std::memory_order_relaxed);
              });
  for (const absl::Status& status : statuses) SLICE_RETURN_IF_ERROR(status);
  return scores;
}

absl::StatusOr<std::vector<Prediction>> CandidateRanker::PredictNodes(
    const EndQuestion& question, std::span<const NodeId> nodes) {
  const size_t count = nodes.size();
  const size_t width = features_.feature_count();
  std::vector<float> rows(count * width);
  std::vector<EncodedLink> encoded(count);
  ParallelFor(count, kGrain, threads_, [&](size_t begin, size_t end, int) {
    features_.ComputeRows(
        nodes.subspan(begin, end - begin),
        std::span(rows).subspan(begin * width, (end - begin) * width));
    for (size_t i = begin; i < end; ++i) {
      const Link link = question.With(nodes[i]);
      encoded[i] =
          encoder_->EncodeWith(encoder_->QueryView(*snapshot_, link), link,
                               std::span(rows).subspan(i * width, width));
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

// Predicts the links at `positions` of `encoded` as one batch, and writes the
// predictions to the same positions of `predictions`.
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
