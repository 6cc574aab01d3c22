// Trains skip-gram on walks as they are made, in these steps:
//   1. the walks of the first round are made once to count visits, from which
//      noise and subsampling come, and thrown away;
//   2. each round shuffles the starts and gives batches of them to threads; a
//      thread makes the walks of its batch, drops frequent nodes and trains;
//   3. the learning rate falls linearly with the walks done, over all threads.
// The random numbers of a batch depend on the seed, the round and the position
// of its first start. With one thread, the training is therefore reproducible.
#include "trainer/embedding/walk_training.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "common/parallel.h"
#include "common/progress.h"
#include "common/random.h"
#include "trainer/embedding/skip_gram.h"
#include "trainer/training_budget.h"

namespace slice {
namespace {

constexpr double kLastLearningRate = 1e-4;  // as a share of the first

// One call of TrainOnWalks().
class WalkTraining {
 public:
  WalkTraining(const WalkSource& source, std::vector<NodeId> starts,
               size_t node_count, const WalkTrainingOptions& options)
      : source_(source),
        options_(options),
        length_(static_cast<size_t>(source.length())),
        node_count_(node_count),
        starts_(std::move(starts)) {}

  absl::StatusOr<SkipGramVectors> Train(std::span<const uint32_t> noise_groups,
                                        WalkTrainingSummary& summary);

 private:
  std::vector<uint64_t> CountVisits() const;
  void SetKeepShares(std::span<const uint64_t> visits);
  std::span<const NodeId> Subsample(std::span<NodeId> walk,
                                    Random& random) const;
  void TrainRound(uint64_t round, ProgressLine& progress);
  absl::Status NotFinite(uint64_t round) const;

  const WalkSource& source_;
  const WalkTrainingOptions& options_;
  const size_t length_;
  const size_t node_count_;
  std::vector<NodeId> starts_;      // shuffled every round
  std::vector<float> keep_shares_;  // [nodes]: share of visits to keep; or none
  std::vector<std::unique_ptr<SkipGramWorker>> workers_;  // [threads]
  std::atomic<uint64_t> walked_{0};
  const absl::Time start_ = absl::Now();
};

// How often the walks of the first round visit each node: skip-gram's noise
// needs the frequencies before training starts.
std::vector<uint64_t> WalkTraining::CountVisits() const {
  std::vector<std::atomic<uint64_t>> visits(node_count_);
  ProgressLine progress(options_.title + ": counting", starts_.size(), "walks");
  ParallelFor(starts_.size(), kWalksAtOnce, options_.threads,
              [&](size_t begin, size_t end, int) {
                std::vector<NodeId> walks((end - begin) * length_);
                source_.Walk(std::span(starts_).subspan(begin, end - begin), 0,
                             walks);
                for (const NodeId node : walks) {
                  if (node == kNoNode) continue;
                  visits[node].fetch_add(1, std::memory_order_relaxed);
                }
                progress.Advance(end - begin);
              });
  return {visits.begin(), visits.end()};
}

void WalkTraining::SetKeepShares(std::span<const uint64_t> visits) {
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

// Drops nodes from `walk` in place; returns what is left.
std::span<const NodeId> WalkTraining::Subsample(std::span<NodeId> walk,
                                                Random& random) const {
  if (keep_shares_.empty()) return walk;
  size_t kept = 0;
  for (const NodeId node : walk) {
    if (random.Uniform() < keep_shares_[node]) walk[kept++] = node;
  }
  return walk.first(kept);
}

void WalkTraining::TrainRound(uint64_t round, ProgressLine& progress) {
  const double total = static_cast<double>(options_.rounds * starts_.size());
  ParallelFor(
      starts_.size(), kWalksAtOnce, options_.threads,
      [&](size_t begin, size_t end, int worker) {
        std::vector<NodeId> walks((end - begin) * length_);
        source_.Walk(std::span(starts_).subspan(begin, end - begin), round,
                     walks);
        const double done =
            walked_.fetch_add(end - begin, std::memory_order_relaxed) / total;
        const double rate =
            options_.learning_rate * std::max(1 - done, kLastLearningRate);
        Random random(CombineHash(CombineHash(options_.seed, ~round), begin));
        SkipGramWorker& trainer = *workers_[worker];
        const uint64_t pairs_before = trainer.pairs();
        for (size_t i = 0; i < end - begin; ++i) {
          const auto row = std::span(walks).subspan(i * length_, length_);
          const auto walk = row.first(static_cast<size_t>(
              std::find(row.begin(), row.end(), kNoNode) - row.begin()));
          trainer.Train(Subsample(walk, random), static_cast<float>(rate),
                        random);
        }
        progress.Advance(trainer.pairs() - pairs_before);
      });
}

absl::StatusOr<SkipGramVectors> WalkTraining::Train(
    std::span<const uint32_t> noise_groups, WalkTrainingSummary& summary) {
  const std::vector<uint64_t> visits = CountVisits();
  SetKeepShares(visits);
  SkipGram tables(
      visits,
      {options_.dim, options_.window, options_.negatives, options_.seed},
      noise_groups);
  for (int i = 0; i < options_.threads; ++i) {
    workers_.push_back(std::make_unique<SkipGramWorker>(&tables));
  }
  // On average the window of a centre has window + 1 other nodes, fewer at the
  // ends of a walk.
  const uint64_t expected_pairs =
      options_.rounds * starts_.size() *
      static_cast<uint64_t>(
          static_cast<double>(length_) * (options_.window + 1.0) *
          std::max(0.0,
                   1 - options_.window / (2.0 * static_cast<double>(length_))));
  ProgressLine progress(options_.title, expected_pairs, "pairs");
  Random shuffle(CombineHash(options_.seed, 0x73687566666c65));
  for (uint64_t round = 0; round < options_.rounds; ++round) {
    for (size_t i = starts_.size(); i > 1; --i) {
      std::swap(starts_[i - 1],
                starts_[shuffle.Below(static_cast<uint32_t>(i))]);
    }
    TrainRound(round, progress);
    if (!tables.IsFinite()) return NotFinite(round + 1);
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
        absl::StrFormat("round %d/%d, loss %.4f", round + 1, options_.rounds,
                        summary.losses.empty() ? 0.0 : summary.losses.back()));
    summary.cut_short = round + 1 < options_.rounds &&
                        IsBudgetSpent(options_.budget, absl::Now() - start_,
                                      static_cast<double>(round + 1));
    if (summary.cut_short) break;
  }
  for (auto& worker : workers_) summary.pairs += worker->pairs();
  summary.walks = walked_.load();
  progress.Finish(
      absl::StrFormat("%d walks, loss %.4f", summary.walks,
                      summary.losses.empty() ? 0.0 : summary.losses.back()));
  return SkipGramVectors{tables.Embeddings(), tables.OutputVectors()};
}

absl::Status WalkTraining::NotFinite(uint64_t round) const {
  return absl::FailedPreconditionError(absl::StrFormat(
      "%s: the vectors are not finite after round %d of %d; a lower "
      "learning_rate than %g helps",
      options_.title, round, options_.rounds, options_.learning_rate));
}

}  // namespace

absl::StatusOr<SkipGramVectors> TrainOnWalks(
    const WalkSource& source, std::vector<NodeId> starts, size_t node_count,
    const WalkTrainingOptions& options, std::span<const uint32_t> noise_groups,
    WalkTrainingSummary& summary) {
  return WalkTraining(source, std::move(starts), node_count, options)
      .Train(noise_groups, summary);
}

double WalkTrainingMib(const GraphSnapshot& snapshot, int dim) {
  constexpr double kOthersOfNode = 64, kOfLink = 16;  // bytes
  const double of_node = 4.0 * sizeof(float) * dim + kOthersOfNode;
  return (static_cast<double>(snapshot.node_count()) * of_node +
          static_cast<double>(snapshot.link_count()) * kOfLink) /
         (1 << 20);
}

}  // namespace slice
