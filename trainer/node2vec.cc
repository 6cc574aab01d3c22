#include "trainer/node2vec.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "common/parallel.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "trainer/random_walks.h"
#include "trainer/skip_gram.h"
#include "trainer/type_means.h"
#include "trainer/walk_graph.h"

namespace slice {
namespace {

constexpr double kLastLearningRate = 1e-4;  // of the first

absl::Status CheckRange(const char* field, double value, double low,
                        double high) {
  if (value >= low && value <= high) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrFormat(
      "node2vec %s is %g; it must be from %g to %g", field, value, low, high));
}

// One run: the walks of all rounds, trained on as they are made, never kept.
class Node2vecRun {
 public:
  Node2vecRun(const WalkGraph& graph, const Node2vecOptions& options,
              int threads)
      : graph_(graph),
        options_(options),
        threads_(threads),
        starts_(graph.LinkedNodes()),
        rounds_(static_cast<uint64_t>(options.walks_per_node) * options.epochs),
        walks_(graph,
               {options.walk_length, options.p, options.q, options.seed}) {}

  std::vector<float> Train(Node2vecSummary& summary);

 private:
  std::vector<uint64_t> CountVisits() const;
  void SetKeepShares(std::span<const uint64_t> visits);
  std::span<const NodeId> Subsample(std::span<NodeId> walk,
                                    Random& random) const;
  void TrainRound(uint64_t round, ProgressLine& progress);

  const WalkGraph& graph_;
  const Node2vecOptions& options_;
  const int threads_;
  std::vector<NodeId> starts_;  // the linked nodes, shuffled every round
  const uint64_t rounds_;
  const RandomWalks walks_;
  std::vector<float> keep_shares_;  // [nodes]; empty: all of each
  std::vector<std::unique_ptr<SkipGramWorker>> workers_;  // [threads]
  std::atomic<uint64_t> walked_{0};
};

// How often walks visit each node, from the first round: skip-gram's noise
// needs the frequencies before training starts.
std::vector<uint64_t> Node2vecRun::CountVisits() const {
  std::vector<std::atomic<uint64_t>> visits(graph_.node_count());
  ProgressLine progress("node2vec: counting", starts_.size(), "walks");
  ParallelFor(starts_.size(), kWalksAtOnce, threads_,
              [&](size_t begin, size_t end, int) {
                std::vector<NodeId> walks((end - begin) * options_.walk_length);
                walks_.Walk(std::span(starts_).subspan(begin, end - begin), 0,
                            walks);
                for (const NodeId node : walks) {
                  visits[node].fetch_add(1, std::memory_order_relaxed);
                }
                progress.Advance(end - begin);
              });
  return {visits.begin(), visits.end()};
}

void Node2vecRun::SetKeepShares(std::span<const uint64_t> visits) {
  if (options_.subsample == 0) return;
  double total = 0;
  for (const uint64_t count : visits) total += static_cast<double>(count);
  for (const uint64_t count : visits) {
    const double ratio =
        options_.subsample * total / std::max(1.0, static_cast<double>(count));
    keep_shares_.push_back(
        static_cast<float>(std::min(1.0, std::sqrt(ratio) + ratio)));
  }
}

// Drops nodes from `walk` in place; what is left.
std::span<const NodeId> Node2vecRun::Subsample(std::span<NodeId> walk,
                                               Random& random) const {
  if (keep_shares_.empty()) return walk;
  size_t kept = 0;
  for (const NodeId node : walk) {
    if (random.Uniform() < keep_shares_[node]) walk[kept++] = node;
  }
  return walk.first(kept);
}

void Node2vecRun::TrainRound(uint64_t round, ProgressLine& progress) {
  const size_t length = options_.walk_length;
  const double total = static_cast<double>(rounds_ * starts_.size());
  ParallelFor(
      starts_.size(), kWalksAtOnce, threads_,
      [&](size_t begin, size_t end, int worker) {
        std::vector<NodeId> walks((end - begin) * length);
        walks_.Walk(std::span(starts_).subspan(begin, end - begin), round,
                    walks);
        const double done =
            walked_.fetch_add(end - begin, std::memory_order_relaxed) / total;
        const double rate =
            options_.learning_rate * std::max(1 - done, kLastLearningRate);
        Random random(CombineHash(CombineHash(options_.seed, ~round), begin));
        SkipGramWorker& trainer = *workers_[worker];
        const uint64_t pairs_before = trainer.pairs();
        for (size_t i = 0; i < end - begin; ++i) {
          const auto walk = std::span(walks).subspan(i * length, length);
          trainer.Train(Subsample(walk, random), static_cast<float>(rate),
                        random);
        }
        progress.Advance(trainer.pairs() - pairs_before);
      });
}

std::vector<float> Node2vecRun::Train(Node2vecSummary& summary) {
  const std::vector<uint64_t> visits = CountVisits();
  SetKeepShares(visits);
  SkipGram tables(visits, {options_.dim, options_.window, options_.negatives,
                           options_.seed});
  for (int i = 0; i < threads_; ++i) {
    workers_.push_back(std::make_unique<SkipGramWorker>(&tables));
  }
  // A centre has on average window + 1 neighbours in reach, fewer at the ends.
  const uint64_t expected_pairs =
      rounds_ * starts_.size() *
      static_cast<uint64_t>(
          options_.walk_length * (options_.window + 1.0) *
          std::max(0.0, 1 - options_.window / (2.0 * options_.walk_length)));
  ProgressLine progress("node2vec", expected_pairs, "pairs");
  Random shuffle(CombineHash(options_.seed, 0x73687566666c65));
  for (uint64_t round = 0; round < rounds_; ++round) {
    for (size_t i = starts_.size(); i > 1; --i) {
      std::swap(starts_[i - 1],
                starts_[shuffle.Below(static_cast<uint32_t>(i))]);
    }
    TrainRound(round, progress);
    double loss = 0;
    int measured = 0;
    for (auto& worker : workers_) {
      const double mean = worker->TakeMeanLoss();
      if (std::isnan(mean)) continue;
      loss += mean;
      ++measured;
    }
    if (measured > 0) summary.losses.push_back(loss / measured);
    progress.SetNote(
        absl::StrFormat("round %d/%d, loss %.4f", round + 1, rounds_,
                        summary.losses.empty() ? 0.0 : summary.losses.back()));
  }
  for (auto& worker : workers_) summary.pairs += worker->pairs();
  summary.walks = walked_.load();
  progress.Finish(
      absl::StrFormat("%d walks, loss %.4f", summary.walks,
                      summary.losses.empty() ? 0.0 : summary.losses.back()));
  return tables.Embeddings();
}

// Fills the rows of nodes without a visible link; returns how many there are.
size_t FillIsolatedNodes(const GraphSnapshot& snapshot, const WalkGraph& graph,
                         int dim, std::vector<float>& embeddings) {
  std::vector<bool> linked(graph.node_count());
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    linked[node] = graph.Degree(node) > 0;
  }
  return FillWithTypeMeans(snapshot, linked, dim, embeddings);
}

}  // namespace

absl::Status Node2vecOptions::Validate() const {
  SLICE_RETURN_IF_ERROR(CheckRange("dim", dim, 1, 4096));
  SLICE_RETURN_IF_ERROR(CheckRange("walks_per_node", walks_per_node, 1, 1e6));
  SLICE_RETURN_IF_ERROR(CheckRange("walk_length", walk_length, 2, 1e6));
  SLICE_RETURN_IF_ERROR(CheckRange("window", window, 1, 1000));
  SLICE_RETURN_IF_ERROR(CheckRange("negatives", negatives, 1, 1000));
  SLICE_RETURN_IF_ERROR(CheckRange("p", p, 1e-3, 1e3));
  SLICE_RETURN_IF_ERROR(CheckRange("q", q, 1e-3, 1e3));
  SLICE_RETURN_IF_ERROR(CheckRange("subsample", subsample, 0, 1));
  SLICE_RETURN_IF_ERROR(CheckRange("epochs", epochs, 1, 1000));
  SLICE_RETURN_IF_ERROR(CheckRange("learning_rate", learning_rate, 1e-9, 1));
  return CheckRange("threads", threads, 0, 1024);
}

absl::StatusOr<std::vector<float>> TrainNode2vec(const GraphView& view,
                                                 const Node2vecOptions& options,
                                                 Node2vecSummary* summary) {
  SLICE_RETURN_IF_ERROR(options.Validate());
  const absl::Time start = absl::Now();
  const WalkGraph graph(view);
  const int threads = options.threads > 0 ? options.threads : HardwareThreads();
  Node2vecSummary own_summary;
  std::vector<float> embeddings(graph.node_count() * options.dim, 0.0f);
  if (graph.arc_count() > 0) {
    embeddings = Node2vecRun(graph, options, threads).Train(own_summary);
  }
  own_summary.isolated_nodes =
      FillIsolatedNodes(view.snapshot(), graph, options.dim, embeddings);
  own_summary.seconds = absl::ToDoubleSeconds(absl::Now() - start);
  if (summary != nullptr) *summary = std::move(own_summary);
  return embeddings;
}

}  // namespace slice
