// Scores many links offline as the server does: encodes them, forms batches,
// and predicts. Also reads the labelled links to score.
#ifndef SLICE_TRAINER_EVALUATION_LINK_SCORING_H_
#define SLICE_TRAINER_EVALUATION_LINK_SCORING_H_

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "context/link_encoder.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/labelled_link.h"
#include "model/batch_scorer.h"
#include "model/prediction.h"

namespace slice {

// Predictions and the shape of the contexts behind them, parallel to the links.
struct ScoredLinks {
  std::vector<Prediction> predictions;
  // Tokens of the first context; the two ends of a self loop count once.
  std::vector<uint16_t> context_nodes;
  std::vector<int16_t> distances;      // hops between the ends; -1: no path
  std::vector<std::string> metapaths;  // MetapathName of the first context
};

// A graph with the encoder and the scorer of a model. All three must outlive
// the calls that get them.
struct ScoringModel {
  const GraphSnapshot* snapshot = nullptr;
  const LinkEncoder* encoder = nullptr;
  const BatchScorer* scorer = nullptr;
};

// The view in which `link` is scored. It hides what the server hides for
// `link`. When `link` is a negative that was made from `made_from`, it also
// hides what the server would hide for `made_from` (docs/leakage.md, section
// 3). For all other links, `made_from` is `link` itself.
GraphView EvaluationView(const ScoringModel& model, const Link& link,
                         const Link& made_from);

// Scores `links` on `threads` threads, each link in its EvaluationView(), and
// shows a progress line called `title`. REQUIRES: `links` and `made_from` have
// equal sizes.
absl::StatusOr<ScoredLinks> ScoreManyLinks(const ScoringModel& model,
                                           std::span<const Link> links,
                                           std::span<const Link> made_from,
                                           int threads,
                                           const std::string& title);

// Predicts `links` as the server does, on the caller's thread.
absl::StatusOr<std::vector<Prediction>> PredictLinks(
    const ScoringModel& model, std::span<const Link> links);

// Reads lines `relation source target [label]`; a row without a label is a
// positive. INVALID_ARGUMENT with the message "file:line:column: reason" for a
// malformed row, and for a node or relation that `snapshot` lacks. Returns the
// errors of LineReader (common/table/line_reader.h).
absl::StatusOr<std::vector<LabelledLink>> ReadLabelledLinks(
    const std::filesystem::path& path, const GraphSnapshot& snapshot);

// For messages: names the relations that are spelled like `text`, or the first
// few relations when none is, and says how many more there are.
std::string SomeRelations(const GraphSnapshot& snapshot, std::string_view text);

// Parses links, each given as "relation source target". Returns the errors of
// ReadLabelledLinks(), which name `origin` as the file.
absl::StatusOr<std::vector<Link>> ParseLinks(
    const std::vector<std::string>& texts, const std::filesystem::path& origin,
    const GraphSnapshot& snapshot);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_LINK_SCORING_H_
