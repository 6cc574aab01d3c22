// Scores many links offline the way the server does: encode, batch, predict.
#ifndef SLICE_TRAINER_LINK_SCORING_H_
#define SLICE_TRAINER_LINK_SCORING_H_

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "context/link_encoder.h"
#include "graphstore/edge_list_importer.h"
#include "graphstore/graph_snapshot.h"
#include "model/link_predictor.h"
#include "model/prediction.h"

namespace slice {

// Predictions and the shape of the contexts behind them, parallel to the links.
struct ScoredLinks {
  std::vector<Prediction> predictions;
  std::vector<uint16_t> context_nodes;  // distinct nodes of the first context
  std::vector<int16_t> distances;       // hops; -1: no path seen
};

// What scoring reads; all of it must outlive the calls.
struct ScoringModel {
  const GraphSnapshot* snapshot = nullptr;
  const LinkEncoder* encoder = nullptr;
  const BatchScorer* scorer = nullptr;
};

// Scores `links` on `threads` threads, with a progress line called `title`.
absl::StatusOr<ScoredLinks> ScoreManyLinks(const ScoringModel& model,
                                           std::span<const Link> links,
                                           int threads,
                                           const std::string& title);

// The logits of `links` for the question of rankings, which of its kind is the
// right one, by the scorer `answering`; on the caller's thread.
absl::Status ScoreAmongKind(const ScoringModel& model, Scorer answering,
                            std::span<const Link> links,
                            std::span<float> logits);

// Reads `relation source target [label]` lines whose keys and relations are in
// `snapshot` (no label: positive). INVALID_ARGUMENT or NOT_FOUND as
// "file:line:column: reason".
absl::StatusOr<std::vector<LabelledLink>> ReadLabelledLinks(
    const std::filesystem::path& path, const GraphSnapshot& snapshot);

}  // namespace slice

#endif  // SLICE_TRAINER_LINK_SCORING_H_
