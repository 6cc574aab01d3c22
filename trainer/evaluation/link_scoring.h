// Scores many links offline the way the server does: encode, batch, predict.
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

// What scoring reads; all of it must outlive the calls.
struct ScoringModel {
  const GraphSnapshot* snapshot = nullptr;
  const LinkEncoder* encoder = nullptr;
  const BatchScorer* scorer = nullptr;
};

// The view in which `link` is scored: what the server hides and, for a negative
// that keeps an end of the positive `made_from`, what would be hidden for that
// one too (docs/leakage.md, rule 3). `made_from` is `link` itself otherwise.
GraphView EvaluationView(const ScoringModel& model, const Link& link,
                         const Link& made_from);

// Scores `links` on `threads` threads, each in its EvaluationView, with a
// progress line called `title`. REQUIRES: equal sizes.
absl::StatusOr<ScoredLinks> ScoreManyLinks(const ScoringModel& model,
                                           std::span<const Link> links,
                                           std::span<const Link> made_from,
                                           int threads,
                                           const std::string& title);

// The predictions of `links` as the server makes them, on the caller's thread.
absl::StatusOr<std::vector<Prediction>> PredictLinks(
    const ScoringModel& model, std::span<const Link> links);

// Reads `relation source target [label]` lines whose keys and relations are in
// `snapshot` (no label: positive). INVALID_ARGUMENT or NOT_FOUND as
// "file:line:column: reason".
absl::StatusOr<std::vector<LabelledLink>> ReadLabelledLinks(
    const std::filesystem::path& path, const GraphSnapshot& snapshot);

// The relations spelled like `text`, or the first few, and how many more there
// are: for messages.
std::string SomeRelations(const GraphSnapshot& snapshot, std::string_view text);

// Links given as "relation source target" each; `origin` names them in errors.
absl::StatusOr<std::vector<Link>> ParseLinks(
    const std::vector<std::string>& texts, const std::filesystem::path& origin,
    const GraphSnapshot& snapshot);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_LINK_SCORING_H_
