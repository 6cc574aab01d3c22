// EvaluateRanking deals queries to threads. For a query there is one call of
// the scorer, with a list of links: first the targets of the query, then the
// candidates that are neither targets nor known. Each target is ranked among
// these candidates alone, so that the targets of a query do not compete with
// each other.
#include "trainer/evaluation/ranking.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_format.h"
#include "common/mutex.h"
#include "common/parallel.h"
#include "common/processor_count.h"
#include "common/progress.h"
#include "common/random.h"
#include "common/status_macros.h"

namespace slice {
namespace {

absl::Status CheckNode(NodeId node, size_t node_count, const char* what) {
  if (node < node_count) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrFormat("ranking: %s %d is outside the catalogue of %d nodes",
                      what, node, node_count));
}

absl::Status CheckQueries(std::span<const RankingQuery> queries,
                          std::span<const NodeId> candidates,
                          size_t node_count) {
  for (const NodeId node : candidates) {
    SLICE_RETURN_IF_ERROR(CheckNode(node, node_count, "candidate"));
  }
  for (const RankingQuery& query : queries) {
    SLICE_RETURN_IF_ERROR(CheckNode(query.source, node_count, "source"));
    for (const NodeId node : query.targets) {
      SLICE_RETURN_IF_ERROR(CheckNode(node, node_count, "target"));
    }
  }
  return absl::OkStatus();
}

// The rank of each target of one query.
absl::StatusOr<std::vector<double>> RankTargets(
    const RankingQuery& query, std::span<const NodeId> candidates,
    const LinkScorer& scorer) {
  std::vector<NodeId> excluded = query.known;
  excluded.insert(excluded.end(), query.targets.begin(), query.targets.end());
  std::sort(excluded.begin(), excluded.end());

  // The targets come first, then the candidates that they compete with.
  std::vector<Link> links;
  links.reserve(query.targets.size() + candidates.size());
  for (const NodeId target : query.targets) {
    links.push_back({query.source, query.relation, target});
  }
  for (const NodeId candidate : candidates) {
    if (!std::binary_search(excluded.begin(), excluded.end(), candidate)) {
      links.push_back({query.source, query.relation, candidate});
    }
  }
  std::vector<float> scores(links.size());
  SLICE_RETURN_IF_ERROR(scorer(links, std::span(scores)));
  const auto others = std::span(scores).subspan(query.targets.size());
  std::vector<double> ranks(query.targets.size());
  for (size_t i = 0; i < ranks.size(); ++i) {
    ranks[i] = RankAmong(scores[i], others);
  }
  return ranks;
}

// Keeps the first error of several threads. Thread-safe.
class FirstError {
 public:
  void Set(absl::Status status) {
    MutexLock lock(&mutex_);
    if (status_.ok()) status_ = std::move(status);
    failed_.store(true, std::memory_order_relaxed);
  }
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  absl::Status status() {
    MutexLock lock(&mutex_);
    return status_;
  }

 private:
  Mutex mutex_;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  std::atomic<bool> failed_{false};
};

}  // namespace

absl::StatusOr<RankingResult> EvaluateRanking(
    std::span<const RankingQuery> queries, std::span<const NodeId> candidates,
    size_t node_count, const LinkScorer& scorer,
    const RankingOptions& options) {
  SLICE_RETURN_IF_ERROR(CheckQueries(queries, candidates, node_count));
  RankingResult result;
  result.ranks.resize(queries.size());
  FirstError error;
  ProgressLine progress(options.title, queries.size(), "queries");
  ParallelFor(queries.size(), 1,
              options.threads > 0 ? options.threads : ProcessorCount(),
              [&](size_t begin, size_t end, int) {
                for (size_t i = begin; i < end && !error.failed(); ++i) {
                  auto ranks = RankTargets(queries[i], candidates, scorer);
                  if (ranks.ok()) {
                    result.ranks[i] = *std::move(ranks);
                  } else {
                    error.Set(std::move(ranks).status());
                  }
                  progress.Advance(1);
                }
              });
  SLICE_RETURN_IF_ERROR(error.status());
  for (const std::vector<double>& ranks : result.ranks) {
    for (const double rank : ranks) result.metrics.Add(rank);
  }
  return result;
}

std::vector<RankingQuery> MakeRankingQueries(const GraphSnapshot& snapshot,
                                             std::span<const Link> held_out,
                                             std::span<const Link> also_known) {
  std::vector<RankingQuery> queries;
  absl::flat_hash_map<std::pair<NodeId, RelationId>, size_t> places;
  for (const Link& link : held_out) {
    const auto [place, is_new] =
        places.try_emplace({link.source, link.relation}, queries.size());
    if (is_new) {
      const auto linked =
          snapshot.Neighbors(link.source, link.relation, Direction::kOut);
      queries.push_back(
          {link.source, link.relation, {}, {linked.begin(), linked.end()}});
    }
    std::vector<NodeId>& targets = queries[place->second].targets;
    if (std::find(targets.begin(), targets.end(), link.target) ==
        targets.end()) {
      targets.push_back(link.target);
    }
  }
  for (const Link& link : also_known) {
    const auto place = places.find({link.source, link.relation});
    if (place == places.end()) continue;
    queries[place->second].known.push_back(link.target);
  }
  return queries;
}

std::vector<RankingQuery> SampleQueries(std::vector<RankingQuery> queries,
                                        size_t count, uint64_t seed) {
  if (queries.size() <= count) return queries;
  std::vector<std::pair<uint64_t, size_t>> drawn;  // by hash
  drawn.reserve(queries.size());
  for (size_t i = 0; i < queries.size(); ++i) {
    drawn.emplace_back(
        CombineHash(CombineHash(seed, queries[i].source), queries[i].relation),
        i);
  }
  std::sort(drawn.begin(), drawn.end());
  drawn.resize(count);
  std::sort(drawn.begin(), drawn.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<RankingQuery> sample;
  sample.reserve(count);
  for (const auto& [hash, i] : drawn) sample.push_back(std::move(queries[i]));
  return sample;
}

}  // namespace slice
