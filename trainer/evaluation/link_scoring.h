// Scores many links offline as the server does: encode, batch, predict. Also
// reads the labelled links to score.
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
  std::vector<uint16_t> context_nodes;  // distinct nodes of the first context
  std::vector<int16_t> distances;       // hops; -1: no path seen
  std::vector<std::string> metapaths;   // MetapathName of the first context
};

// A graph with the encoder and the scorer of a model. All must outlive the
// calls.
struct ScoringModel {
  const GraphSnapshot* snapshot = nullptr;
  const LinkEncoder* encoder = nullptr;
  const BatchScorer* scorer = nullptr;
};

// The view in which `link` is scored. It hides what the server hides for `link`
// and, for a negative made from `made_from`, what the server would hide for
// that link (docs/leakage.md, section 3). For other links `made_from` is
// `link`.
GraphView EvaluationView(const ScoringModel& model, const Link& link,
                         const Link& made_from);

// Scores `links` on `threads` threads, each in its EvaluationView, with a
// progress line called `title`. REQUIRES: equal sizes.
absl::StatusOr<ScoredLinks> ScoreManyLinks(const ScoringModel& model,
                                           std::span<const Link> links,
                                           std::span<const Link> made_from,
                                           int threads,
                                           const std::string& title);

// Predicts `links` as the server does, on the caller's thread.
absl::StatusOr<std::vector<Prediction>> PredictLinks(
    const ScoringModel& model, std::span<const Link> links);

// Reads `relation source target [label]` lines whose keys and relations are in
// `snapshot` (no label: positive). INVALID_ARGUMENT or NOT_FOUND as
// "file:line:column: reason".
absl::StatusOr<std::vector<LabelledLink>> ReadLabelledLinks(
    const std::filesystem::path& path, const GraphSnapshot& snapshot);

// For messages: the relations spelled like `text`, or the first few relations,
// and how many more there are.
std::string SomeRelations(const GraphSnapshot& snapshot, std::string_view text);

// Parses links given as "relation source target" each. Returns errors as those
// of ReadLabelledLinks, with `origin` as the file.
absl::StatusOr<std::vector<Link>> ParseLinks(
    const std::vector<std::string>& texts, const std::filesystem::path& origin,
    const GraphSnapshot& snapshot);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_LINK_SCORING_H_
