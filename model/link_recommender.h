// Recommends links: finds the best nodes for one end of a link whose other end
// is known.
#ifndef SLICE_MODEL_LINK_RECOMMENDER_H_
#define SLICE_MODEL_LINK_RECOMMENDER_H_

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
#include "context/end_feature_cache.h"
#include "context/end_question.h"
#include "context/path_sum_propagation.h"
#include "model/candidate_ranker.h"
#include "model/prediction.h"
#include "model/semantic_association_matrix.h"

namespace slice {

// What is asked: the best k candidates for the unknown end of a link. It is not
// a Question of model/prediction.h.
struct RecommendQuestion {
  EndQuestion question;
  std::vector<NodeId> candidates;  // the nodes to rank, without repetition
  size_t k = 10;
  OutputReading reading;  // its scorer ranks the best candidates again
};

// When to give up.
struct RecommendLimits {
  const Clock* clock = nullptr;
  absl::Time deadline = absl::InfiniteFuture();
  std::function<bool()> cancelled = {};  // may be empty
};

// One recommended link with its explanation.
struct Recommended {
  size_t rank = 0;  // 1 for the best
  Link link;
  float score = 0;
  bool reranked = false;
  Prediction prediction;  // the answer of PredictLinks to this link
  EncodedLink encoded;
  SemanticAssociationMatrix attention;  // of the first context
};

// The time that each part took.
struct RecommendTimings {
  absl::Duration rank, rerank, explain;
};

// The best ends for a question, and how many of them are explained by now.
struct RankedEnds {
  struct End {
    NodeId node = 0;
    float score = 0;
    bool reranked = false;
  };
  std::vector<End> ends;  // the best first, at most k
  size_t explained = 0;   // the first ones of `ends`
  // Time ran out before all of the best were ranked again.
  bool best_so_far = false;
  RecommendTimings timings;

  bool done() const { return explained == ends.size(); }
};

// Thread-safe. There is one per served model, and it takes no memory until the
// first question. From then on it keeps
//   - a PropagationGraph: 16 bytes per node, and the parallel links,
//   - CandidateRankers, each with about 220 bytes per node of scratch memory:
//     as many as the most questions that were ever answered at the same time,
//   - the EndFeatures of the relations that were asked about last: at most
//     256 MiB together, but always those of one relation.
class LinkRecommender {
 public:
  // The number of candidates that the question's scorer ranks again, unless k
  // is larger.
  static constexpr size_t kReranked = 200;

  // `snapshot`, `encoder` and `scorer` must outlive the recommender and belong
  // to one bundle. Each call ranks on `threads` threads, one of which is the
  // calling thread.
  LinkRecommender(const GraphSnapshot& snapshot, const LinkEncoder& encoder,
                  const BatchScorer& scorer,
                  const std::array<RuleWeights, 2>& rule_weights,
                  int threads = 1);
  ~LinkRecommender();

  // From now on, what is kept between questions is that of `graph`, a later
  // version of the snapshot.
  void Follow(std::shared_ptr<const GraphSnapshot> graph) const;

  // Finds and ranks the best k: CandidateRanker::ScoreAll orders all
  // candidates, then the question's scorer ranks the best again. The limits are
  // checked between batches. When time runs out while the best are ranked
  // again, those that are not ranked again yet follow the others, in their
  // first order (best_so_far). Returns CANCELLED when limits.cancelled() says
  // so; DEADLINE_EXCEEDED when time runs out before all candidates have a
  // score; FAILED_PRECONDITION for a bundle without the structural scorer; the
  // errors of the scorer.
  //
  // `graph` is the graph that the recommender follows, or another version of
  // it. What is kept between questions serves the first only: for another
  // version, the end features of all nodes are computed anew.
  absl::StatusOr<RankedEnds> Rank(const GraphSnapshot& graph,
                                  const RecommendQuestion& question,
                                  const RecommendLimits& limits) const;

  // Scores and explains the next ends of `ranked`, at most kExplained, as
  // PredictLinks does, and advances ranked.explained. question.reading says how
  // to read the logits. Returns CANCELLED, DEADLINE_EXCEEDED or the errors of
  // the scorer. REQUIRES: ranked is not done.
  absl::StatusOr<std::vector<Recommended>> Explain(
      const GraphSnapshot& graph, const RecommendQuestion& question,
      const RecommendLimits& limits, RankedEnds& ranked) const;

  // The number of links that one call of Explain explains.
  static constexpr size_t kExplained = 50;

 private:
  class Lease;
  class Run;
  struct Version;

  std::shared_ptr<Version> Followed() const;

  const LinkEncoder* const encoder_;
  const BatchScorer* const scorer_;
  const std::array<RuleWeights, 2> rule_weights_;
  const int threads_;

  mutable Mutex mutex_;
  mutable std::shared_ptr<Version> followed_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_MODEL_LINK_RECOMMENDER_H_
