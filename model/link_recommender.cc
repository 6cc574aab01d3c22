// Rank:
//   1. A Lease takes an idle CandidateRanker of the version of the graph, or
//      makes one; the first question about a version also makes the
//      PropagationGraph that its rankers share. What is kept of a version goes
//      with the last lease of it, once another version is followed.
//   2. CandidateRanker::ScoreAll orders all candidates (Run::RankAll), and the
//      best max(k, kReranked) are kept.
//   3. The question's scorer ranks these again in batches (Run::Rerank) until
//      all are done or the time is needed for explaining. The rules add the
//      same terms in both rankings.
// After that, each call of Explain encodes, scores and explains a few more of
// the best k, so that the caller can stream them and other callers get their
// turns in between.
#include "model/link_recommender.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "model/context_batch.h"

namespace slice {
namespace {

constexpr size_t kMaxEndFeatureBytes = size_t{256} << 20;
constexpr size_t kBatch = 50;  // links that a thread ranks again at once
// Ranking again stops early enough to leave this time for explaining and
// sending: kTimePerLink for each of the k links, but at most the share
// kMostKeptBack of the time from the start to the deadline.
constexpr absl::Duration kTimePerLink = absl::Microseconds(500);
constexpr double kMostKeptBack = 0.3;

absl::Status NoStructuralScorer() {
  return absl::FailedPreconditionError(
      "the bundle has no structural scorer, which ranks the candidates; serve "
      "a bundle of the preset default or fast");
}

absl::Status CheckLimits(const RecommendLimits& limits) {
  if (limits.cancelled && limits.cancelled()) {
    return absl::CancelledError("the caller cancelled");
  }
  if (limits.clock->Now() < limits.deadline) return absl::OkStatus();
  return absl::DeadlineExceededError(
      "the deadline passed before the links were ranked");
}

}  // namespace

// What is kept between questions about one version of the graph. Thread-safe.
struct LinkRecommender::Version {
  Version(const GraphSnapshot& its_graph, const LinkEncoder& encoder,
          std::shared_ptr<const GraphSnapshot> its_owner = nullptr)
      : is_owned(its_owner != nullptr),
        owner(its_owner),
        graph(&its_graph),
        ends(its_graph, encoder, kMaxEndFeatureBytes) {}

  // The graph for propagation; made by the first question.
  std::shared_ptr<const PropagationGraph> Propagation() {
    {
      MutexLock lock(&mutex);
      if (propagation) return propagation;
    }
    auto made = std::make_shared<const PropagationGraph>(*graph);
    MutexLock lock(&mutex);
    if (!propagation) propagation = std::move(made);
    return propagation;
  }

  // Whether this is about `other`. A graph that is gone may have left its
  // address to another.
  bool IsOf(const GraphSnapshot& other) const {
    return graph == &other && !(is_owned && owner.expired());
  }

  const bool is_owned;  // else the graph outlives the recommender
  // What is kept is of no use without the graph, and does not keep it.
  const std::weak_ptr<const GraphSnapshot> owner;
  const GraphSnapshot* const graph;
  const uint64_t number = graph->graph_version();
  EndFeatureCache ends;
  Mutex mutex;
  std::shared_ptr<const PropagationGraph> propagation ABSL_GUARDED_BY(mutex);
  std::vector<std::unique_ptr<CandidateRanker>> idle ABSL_GUARDED_BY(mutex);
};

// Borrows a ranker for one question.
class LinkRecommender::Lease {
 public:
  Lease(const LinkRecommender& owner, const GraphSnapshot& graph)
      : version_(owner.Followed()) {
    if (!version_->IsOf(graph)) {
      version_ = std::make_shared<Version>(graph, *owner.encoder_);
    }
    {
      MutexLock lock(&version_->mutex);
      if (!version_->idle.empty()) {
        ranker_ = std::move(version_->idle.back());
        version_->idle.pop_back();
      }
    }
    propagation_ = version_->Propagation();
    if (ranker_) return;
    ranker_ = std::make_unique<CandidateRanker>(
        *propagation_, *owner.encoder_, *owner.scorer_,
        CandidateRankerOptions{.weights = owner.rule_weights_,
                               .threads = owner.threads_,
                               .ends = &version_->ends});
  }
  ~Lease() {
    MutexLock lock(&version_->mutex);
    version_->idle.push_back(std::move(ranker_));
  }
  CandidateRanker* operator->() const { return ranker_.get(); }

 private:
  std::shared_ptr<Version> version_;  // keeps what the ranker refers to
  std::shared_ptr<const PropagationGraph> propagation_;
  std::unique_ptr<CandidateRanker> ranker_;
};

// The ranking of one question.
class LinkRecommender::Run {
 public:
  Run(const LinkRecommender& owner, const GraphSnapshot& graph,
      const RecommendQuestion& question, const RecommendLimits& limits)
      : owner_(owner),
        question_(question),
        limits_(limits),
        start_(limits.clock->Now()),
        ranker_(owner, graph) {}

  absl::Status Check() const { return CheckLimits(limits_); }

  // Fills ranked_ with the candidates that the structural scorer ranks best, in
  // its order, as many as the later steps may need.
  absl::Status RankAll() {
    if (!owner_.encoder_->options().use_pair_features) {
      return NoStructuralScorer();
    }
    const auto& candidates = question_.candidates;
    auto scores = ranker_->ScoreAll(question_.question, candidates,
                                    [this] { return Check(); });
    if (absl::IsUnimplemented(scores.status())) return NoStructuralScorer();
    SLICE_RETURN_IF_ERROR(scores.status());
    const size_t count = std::max(question_.k, kReranked);
    for (const size_t position : FirstPositions(candidates, *scores, count)) {
      ranked_.ends.push_back({candidates[position], scores->scores[position]});
    }
    ranked_.timings.rank = Lap();
    return Check();
  }

  // Ranks the ends in ranked_ again, with the question's scorer, until time
  // runs out.
  absl::Status Rerank() {
    if (question_.reading.scorer == Scorer::kStructural)
      return absl::OkStatus();
    auto& ends = ranked_.ends;
    size_t done = 0;
    absl::Duration last;
    while (done < ends.size()) {
      const absl::Time now = limits_.clock->Now();
      if (now + last + KeptBack() >= limits_.deadline) break;
      const size_t count = std::min(
          kBatch * static_cast<size_t>(owner_.threads_), ends.size() - done);
      SLICE_RETURN_IF_ERROR(RerankBatch(done, count));
      done += count;
      last = limits_.clock->Now() - now;
      if (limits_.cancelled && limits_.cancelled()) return Check();
    }
    ranked_.best_so_far = done < ends.size();
    std::sort(ends.begin(), ends.begin() + static_cast<ptrdiff_t>(done),
              [](const RankedEnds::End& a, const RankedEnds::End& b) {
                if (a.score != b.score) return a.score > b.score;
                return a.node < b.node;
              });
    ranked_.timings.rerank = Lap();
    return absl::OkStatus();
  }

  RankedEnds Best() && {
    if (ranked_.ends.size() > question_.k) ranked_.ends.resize(question_.k);
    return std::move(ranked_);
  }

 private:
  absl::Duration KeptBack() const {
    return std::min(kTimePerLink * static_cast<double>(question_.k),
                    kMostKeptBack * (limits_.deadline - start_));
  }

  // The time since the last call.
  absl::Duration Lap() {
    const absl::Time now = limits_.clock->Now();
    return now - std::exchange(start_of_lap_, now);
  }

  absl::Status RerankBatch(size_t begin, size_t count) {
    std::vector<NodeId> nodes;
    for (size_t i = begin; i < begin + count; ++i) {
      nodes.push_back(ranked_.ends[i].node);
    }
    SLICE_ASSIGN_OR_RETURN(const std::vector<Prediction> predictions,
                           ranker_->PredictNodes(question_.question, nodes));
    for (size_t i = 0; i < count; ++i) {
      RankedEnds::End& best = ranked_.ends[begin + i];
      best.score += RerankTerm(predictions[i], question_.reading.scorer);
      best.reranked = true;
    }
    return absl::OkStatus();
  }

  const LinkRecommender& owner_;
  const RecommendQuestion& question_;
  const RecommendLimits& limits_;
  const absl::Time start_;
  absl::Time start_of_lap_ = start_;
  Lease ranker_;
  RankedEnds ranked_;  // may have more than k ends before Best()
};

LinkRecommender::LinkRecommender(const GraphSnapshot& snapshot,
                                 const LinkEncoder& encoder,
                                 const BatchScorer& scorer,
                                 const std::array<RuleWeights, 2>& rule_weights,
                                 int threads)
    : encoder_(&encoder),
      scorer_(&scorer),
      rule_weights_(rule_weights),
      threads_(threads),
      followed_(std::make_shared<Version>(snapshot, encoder)) {}

LinkRecommender::~LinkRecommender() = default;

std::shared_ptr<LinkRecommender::Version> LinkRecommender::Followed() const {
  MutexLock lock(&mutex_);
  return followed_;
}

void LinkRecommender::Follow(std::shared_ptr<const GraphSnapshot> graph) const {
  const std::shared_ptr<Version> followed = Followed();
  if (followed->number > graph->graph_version() ||
      (followed->is_owned && followed->IsOf(*graph))) {
    return;
  }
  auto next = std::make_shared<Version>(*graph, *encoder_, graph);
  MutexLock lock(&mutex_);
  if (followed_->number <= next->number) followed_.swap(next);
}

absl::StatusOr<RankedEnds> LinkRecommender::Rank(
    const GraphSnapshot& graph, const RecommendQuestion& question,
    const RecommendLimits& limits) const {
  SLICE_RETURN_IF_ERROR(CheckLimits(limits));
  Run run(*this, graph, question, limits);
  SLICE_RETURN_IF_ERROR(run.RankAll());
  SLICE_RETURN_IF_ERROR(run.Rerank());
  return std::move(run).Best();
}

absl::StatusOr<std::vector<Recommended>> LinkRecommender::Explain(
    const GraphSnapshot& graph, const RecommendQuestion& question,
    const RecommendLimits& limits, RankedEnds& ranked) const {
  SLICE_RETURN_IF_ERROR(CheckLimits(limits));
  const absl::Time start = limits.clock->Now();
  const size_t begin = ranked.explained;
  const size_t count = std::min(kExplained, ranked.ends.size() - begin);
  std::vector<Recommended> links(count);
  std::vector<const EncodedLink*> encoded;
  for (size_t i = 0; i < count; ++i) {
    const RankedEnds::End& end = ranked.ends[begin + i];
    Recommended& link = links[i];
    link.rank = begin + i + 1;
    link.link = question.question.With(end.node);
    link.score = end.score;
    link.reranked = end.reranked;
    link.encoded = encoder_->Encode(graph, link.link);
    encoded.push_back(&link.encoded);
  }
  const ContextBatch batch = ContextBatch::Assemble(encoded);
  SLICE_ASSIGN_OR_RETURN(ExplainedBatch explained, scorer_->Explain(batch));
  if (explained.predictions.size() != count ||
      explained.attention.size() != batch.row_link.size()) {
    return absl::InternalError(absl::StrCat("the model explained ",
                                            explained.predictions.size(),
                                            " links of ", count));
  }
  // Goes backwards, so that each link keeps the attention of its first context.
  for (size_t row = batch.row_link.size(); row-- > 0;) {
    links[batch.row_link[row]].attention = std::move(explained.attention[row]);
  }
  for (size_t i = 0; i < count; ++i) {
    links[i].prediction = explained.predictions[i];
    links[i].prediction.Read(question.reading);
  }
  ranked.explained += count;
  ranked.timings.explain += limits.clock->Now() - start;
  return links;
}

}  // namespace slice
