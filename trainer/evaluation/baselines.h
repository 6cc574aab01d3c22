// Scorers that learn nothing. Every report compares the model with them. All
// links between the two ends are hidden from them, also where the model sees
// those of other relations.
#ifndef SLICE_TRAINER_EVALUATION_BASELINES_H_
#define SLICE_TRAINER_EVALUATION_BASELINES_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "context/path_evidence.h"
#include "graphstore/graph_view.h"

namespace slice {

// The scores of a link (u, relation, v). N(x) is the set of the neighbours of
// x.
enum class Baseline : uint8_t {
  kPopularity = 0,          // number of links by the relation into v
  kCommonNeighbors = 1,     // |N(u) & N(v)|
  kAdamicAdar = 2,          // sum over x in N(u) & N(v) of 1 / log |N(x)|
  kThreePaths = 3,          // sum over u-x-y-v of 1 / (|N(x)| |N(y)|)
  kAdamicAdarTwoSteps = 4,  // sum over x in N(u) with (x, relation, v) of
                            // 1 / log |N(x)|
  kNode2vec = 5,            // dot product of the global embeddings
};
inline constexpr int kBaselineCount = 6;

// The name in reports, such as "Adamic-Adar".
std::string_view BaselineName(Baseline baseline);
// The name in JSON, such as "adamic_adar".
std::string_view BaselineKey(Baseline baseline);

// The score of one link. The caller has already hidden in `view` what the
// baseline must not see. REQUIRES: baseline is not kNode2vec.
double ScoreBaseline(Baseline baseline, const GraphView& view,
                     const Link& link);

// Scores links by one baseline. Immutable; thread-safe.
class BaselineScorer {
 public:
  // Only kNode2vec reads `embeddings`, [nodes, dim] row-major. They and the
  // snapshot must outlive the scorer. With `popularity_breaks_ties`, links with
  // equal evidence, or with none, are ordered by popularity; in rankings this
  // is the stronger form of a path baseline. INVALID_ARGUMENT when kNode2vec is
  // not given nodes x dim embedding values.
  static absl::StatusOr<std::unique_ptr<BaselineScorer>> Create(
      Baseline baseline, const GraphSnapshot& snapshot,
      std::span<const float> embeddings = {}, int dim = 0,
      bool popularity_breaks_ties = false);

  // Scores each of `links` in a view that hides its pair. When `made_from` is
  // not empty, the pair of made_from[i] is hidden for links[i] as well:
  // made_from[i] is the positive that a negative links[i] was made from, and
  // otherwise links[i] itself.
  //
  // Common neighbours and 3-paths of single links follow a bounded number of
  // neighbours (PathFanOut). When many consecutive links have the same source
  // and relation, as in a ranking, and `made_from` is empty, all 3-paths are
  // followed. REQUIRES: all spans that are not empty have equal sizes.
  void Score(std::span<const Link> links, std::span<float> scores,
             std::span<const Link> made_from = {}) const;

  Baseline baseline() const { return baseline_; }

 private:
  BaselineScorer(Baseline baseline, const GraphSnapshot& snapshot,
                 std::span<const float> embeddings, int dim,
                 bool popularity_breaks_ties);
  double DotProduct(const Link& link) const;
  double ScoreOne(const Link& link, const Link& made_from,
                  PathEvidence& evidence) const;
  double BreakTie(const GraphView& view, const Link& link, double score) const;
  void ScoreThreePathRun(std::span<const Link> links, std::span<float> scores,
                         PathEvidence& evidence) const;

  const Baseline baseline_;
  const GraphSnapshot* const snapshot_;
  const std::span<const float> embeddings_;
  const int dim_;
  const bool popularity_breaks_ties_;
};

// Scores many links on `threads` threads (0: all hardware threads) and shows a
// progress line.
std::vector<float> ScoreLinks(const BaselineScorer& scorer,
                              std::span<const Link> links, int threads = 0,
                              std::span<const Link> made_from = {});

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_BASELINES_H_
