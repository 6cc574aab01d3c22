// Scorers that learn nothing, to stand beside the model in every report.
//
// Each sees the graph with every arc between the ends of the link hidden, as
// the model does.
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

enum class Baseline : uint8_t {
  kPopularity = 0,          // links by the relation into the target
  kCommonNeighbors = 1,     // |N(u) & N(v)|
  kAdamicAdar = 2,          // sum over x in N(u) & N(v) of 1 / log |N(x)|
  kThreePaths = 3,          // sum over u-x-y-v of 1 / (|N(x)| |N(y)|)
  kAdamicAdarTwoSteps = 4,  // sum over x in N(u) with (x, relation, v) of
                            // 1 / log |N(x)|
  kNode2vec = 5,            // dot product of the global embeddings
};
inline constexpr int kBaselineCount = 6;

// As reports show it, such as "Adamic-Adar".
std::string_view BaselineName(Baseline baseline);
// As JSON has it, such as "adamic_adar".
std::string_view BaselineKey(Baseline baseline);

// The score of one link in a view from which the caller has hidden what must
// not be seen. REQUIRES: baseline is not kNode2vec.
double ScoreBaseline(Baseline baseline, const GraphView& view,
                     const Link& link);

// Immutable; thread-safe.
class BaselineScorer {
 public:
  // `embeddings` is [nodes, dim] row-major and only read for kNode2vec; both
  // it and the snapshot must outlive the scorer. With `popularity_breaks_ties`
  // links with equal evidence, or none, are ordered by popularity, the stronger
  // form of a path baseline in rankings. INVALID_ARGUMENT when kNode2vec is
  // asked for and the size is not nodes x dim.
  static absl::StatusOr<std::unique_ptr<BaselineScorer>> Create(
      Baseline baseline, const GraphSnapshot& snapshot,
      std::span<const float> embeddings = {}, int dim = 0,
      bool popularity_breaks_ties = false);

  // Scores `links`, each with its pair hidden. Common neighbours and 3-paths of
  // single links follow a bounded number of neighbours (PathFanOut); the
  // 3-paths of many links from one source in a row, as in a ranking, are all
  // followed. `made_from`, when given, names for each link another whose pair
  // is hidden as well (the positive a negative was made from, or the link
  // itself). REQUIRES: equal sizes.
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

// Scores a long list on `threads` threads (0: all), with a progress line.
std::vector<float> ScoreLinks(const BaselineScorer& scorer,
                              std::span<const Link> links, int threads = 0,
                              std::span<const Link> made_from = {});

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_BASELINES_H_
