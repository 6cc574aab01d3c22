// Finds the best ends of a link of which one end is known.
#ifndef SLICE_SERVER_PIPELINE_LINK_RECOMMENDER_H_
#define SLICE_SERVER_PIPELINE_LINK_RECOMMENDER_H_

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"
#include "context/end_features.h"
#include "context/end_question.h"
#include "context/path_sum_propagation.h"
#include "model/candidate_ranker.h"
#include "model/prediction.h"

namespace slice {

struct RecommendQuestion {
  EndQuestion question;
  std::vector<NodeId> candidates;  // ranked against one another, each once
  size_t k = 10;
  OutputReading reading;  // its scorer ranks the best once more
};

// Until when an answer is worth working for.
struct RecommendLimits {
  const Clock* clock = nullptr;
  absl::Time deadline = absl::InfiniteFuture();
  std::function<bool()> cancelled;  // may be empty
};

struct Recommended {
  size_t rank = 0;  // from 1 on
  Link link;
  float score = 0;
  bool reranked = false;
  Prediction prediction;  // as PredictLinks answers
  EncodedLink encoded;
  SemanticAssociationMatrix attention;  // of its first context
};

// Where the time went.
struct RecommendTimings {
  absl::Duration rank, rerank, explain;
};

// The best links of a question, ranked, and how far they are explained.
struct RankedEnds {
  struct End {
    NodeId node = 0;
    float score = 0;
    bool reranked = false;
  };
  std::vector<End> ends;  // the best first, at most k
  size_t explained = 0;   // of them
  // Not all that were to be ranked again were, for want of time.
  bool best_so_far = false;
  RecommendTimings timings;

  bool done() const { return explained == ends.size(); }
};

// Thread-safe. Made once per served model, it costs nothing until the first
// question. From then on it keeps 16 bytes a node and the parallel links, for
// each thread that asks at once about 220 bytes a node (the scratch memory of a
// CandidateRanker), and the end features of the relations asked for last, at
// most 256 MiB together (EndFeatures::bytes() each; one relation is kept
// whatever it takes).
class LinkRecommender {
 public:
  // Links that a scorer with contexts looks at again, unless k is more.
  static constexpr size_t kReranked = 200;

  // All must outlive it and be of one bundle. A call ranks with `threads`
  // threads, the caller's among them.
  LinkRecommender(const GraphSnapshot& snapshot, const LinkEncoder& encoder,
                  const BatchScorer& scorer,
                  const std::array<RuleWeights, 2>& rule_weights,
                  int threads = 1);
  ~LinkRecommender();

  // Ranks the best k. Checks the limits between batches: when time runs out
  // while the best are ranked again, those not looked at keep the structural
  // scorer's order behind the others (best_so_far). CANCELLED;
  // DEADLINE_EXCEEDED when not even the structural scorer was done;
  // FAILED_PRECONDITION for a bundle without structural scorer; errors of the
  // scorer.
  absl::StatusOr<RankedEnds> Rank(const RecommendQuestion& question,
                                  const RecommendLimits& limits) const;

  // Scores the next of them as PredictLinks does, a batch at most, with the
  // path behind each; logits are read by question.reading. CANCELLED,
  // DEADLINE_EXCEEDED, errors of the scorer. REQUIRES: not done.
  absl::StatusOr<std::vector<Recommended>> Explain(
      const RecommendQuestion& question, const RecommendLimits& limits,
      RankedEnds& ranked) const;

  // Links that Explain takes on at once.
  static constexpr size_t kExplained = 50;

 private:
  class Lease;
  class Run;

  const GraphSnapshot* const snapshot_;
  const LinkEncoder* const encoder_;
  const BatchScorer* const scorer_;
  const std::array<RuleWeights, 2> rule_weights_;
  const int threads_;
  mutable EndFeatureCache ends_;

  mutable Mutex mutex_;
  // Made by the first question.
  mutable std::shared_ptr<const PropagationGraph> graph_
      ABSL_GUARDED_BY(mutex_);
  mutable std::vector<std::unique_ptr<CandidateRanker>> idle_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_LINK_RECOMMENDER_H_
