// Filtered ranking: at which rank among all candidates does a scorer put the
// true targets of the question (source, relation, ?)?
#ifndef SLICE_TRAINER_EVALUATION_RANKING_H_
#define SLICE_TRAINER_EVALUATION_RANKING_H_

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graphstore/graph_snapshot.h"
#include "trainer/metrics.h"

namespace slice {

// One question (source, relation, ?) with its true answers. Each of `targets`
// is ranked against the candidates that are neither in `targets` nor in `known`
// (Bordes et al., NeurIPS 2013).
struct RankingQuery {
  NodeId source = 0;
  RelationId relation = 0;
  std::vector<NodeId> targets;
  std::vector<NodeId> known;  // other true targets, left out of the ranking
};

// Fills scores[i] with the score of links[i]. Several threads call it at once
// unless options.threads is 1. All links of one call have the same source and
// the same relation.
using LinkScorer = std::function<absl::Status(std::span<const Link> links,
                                              std::span<float> scores)>;

struct RankingOptions {
  int threads = 0;                // 0: all hardware threads
  std::string title = "ranking";  // of the progress line
};

struct RankingResult {
  RankingMetrics metrics;                  // over all targets of all queries
  std::vector<std::vector<double>> ranks;  // [queries][targets of the query]
};

// Scores the candidates and the targets of every query, and ranks the targets.
// A target need not be a candidate. INVALID_ARGUMENT when a source, a target or
// a candidate is not below `node_count`; otherwise the first error of the
// scorer.
absl::StatusOr<RankingResult> EvaluateRanking(
    std::span<const RankingQuery> queries, std::span<const NodeId> candidates,
    size_t node_count, const LinkScorer& scorer,
    const RankingOptions& options = {});

// Groups held-out positives into one query per (source, relation), in the order
// of first appearance. RankingQuery::known receives the nodes to which the
// relation links the source in the snapshot or in `also_known` (positives of
// other held-out files).
std::vector<RankingQuery> MakeRankingQueries(
    const GraphSnapshot& snapshot, std::span<const Link> held_out,
    std::span<const Link> also_known = {});

// Draws `count` of the queries with `seed` and keeps their order; returns all
// when there are no more than `count`. A query is drawn with all of its
// targets. The draw depends on the seed, the sources and the relations alone.
std::vector<RankingQuery> SampleQueries(std::vector<RankingQuery> queries,
                                        size_t count, uint64_t seed);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_RANKING_H_
