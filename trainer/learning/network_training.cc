// The networks that are trained side by side are called arms. An epoch has
// these steps:
//   1. the positives of the epoch are drawn and cut into chunks. While the arms
//      learn from one chunk, the next one is encoded on other threads;
//   2. the examples of a chunk are shuffled and cut into batches; every arm
//      takes a step on every batch, at the rate of the one-cycle schedule;
//   3. the arms are measured on valid; each arm keeps its best state so far.
// Training ends after all epochs, when no arm got better for options.patience
// epochs, or when a loss or a score is not finite. Then every arm returns to
// its best state.
#include "trainer/learning/network_training.h"

#include <ATen/Context.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <numeric>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "common/logging.h"
#include "common/progress.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "model/torch/torch_status.h"
#include "trainer/learning/learning_rate.h"
#include "trainer/learning/trained_network.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

constexpr size_t kChunkPositives = 4096;
// A prime, so that steps of this size reach every question.
constexpr uint64_t kStride = 1'000'003;

// Examples, and the lists that are learned with them.
struct Chunk {
  ExampleChunk examples;
  ListChunk lists;
};
using SharedChunk = std::shared_ptr<const Chunk>;

// One call of TrainNetworks.
class TrainingRun {
 public:
  TrainingRun(std::span<torch::jit::Module> networks, TrainingScope scope,
              const TrainingData& data, const NetworkTrainingOptions& options)
      : data_(data), scope_(scope), options_(options) {
    for (torch::jit::Module& network : networks) {
      arms_.push_back(std::make_unique<TrainedNetwork>(
          &network, scope, data.embeddings, options));
    }
    PrepareValid();
  }

  absl::StatusOr<std::vector<TrainingSummary>> Run(const std::string& title);

 private:
  void PrepareValid();
  absl::Status RunEpoch(int epoch, ProgressLine& progress);
  // The part of the lists of an epoch that is learned with positives [begin,
  // end) of `all`.
  ListChunk EncodeLists(int epoch, size_t begin, size_t end, size_t all) const;
  absl::Status RunChunk(const Chunk& chunk, Random& random);
  // Calls body(arm) for every arm, in parallel when there are several threads.
  absl::Status ForEachArm(
      const std::function<absl::Status(TrainedNetwork&)>& body);
  // The first column of the scorer that is measured on valid.
  int FirstColumn() const {
    return scope_ == TrainingScope::kWhole ? 0 : kQuestions * (kScorers - 1);
  }
  // The reciprocal ranks of the answers in the lists about valid.
  std::vector<double> RanksOnValid(TrainedNetwork& arm) const;
  // Measures all arms on valid. Returns whether any arm got better within the
  // last options.patience epochs.
  absl::StatusOr<bool> Validate(int epoch);
  // RunEpoch, then Validate. OUT_OF_RANGE when a loss or score is not finite.
  absl::StatusOr<bool> RunAndValidate(int epoch, ProgressLine& progress);
  // Ends training after a loss or score that is not finite: warns, or returns
  // an error when there is no earlier epoch to go back to.
  absl::Status StopDiverged(const std::string& title, int epoch,
                            const absl::Status& why) const;

  const TrainingData& data_;
  const TrainingScope scope_;
  const NetworkTrainingOptions& options_;
  std::vector<std::unique_ptr<TrainedNetwork>> arms_;
  // Positions in *data_.valid, sorted by SortByLength.
  std::vector<uint32_t> valid_;
  // Chunks for later epochs, by epoch and position of their first positive.
  std::map<std::pair<int, size_t>, SharedChunk> kept_;
  int64_t step_ = 0, total_steps_ = 1;
};

// Sorts positions in `chunk` by the length of the context at the position, then
// by position.
void SortByLength(const ExampleChunk& chunk, std::span<uint32_t> positions) {
  std::sort(positions.begin(), positions.end(), [&](uint32_t a, uint32_t b) {
    const size_t x = TokenCount(chunk.links[a]);
    const size_t y = TokenCount(chunk.links[b]);
    return x != y ? x < y : a < b;
  });
}

// Deals the sorted `positions` of a batch in turn to `shares` parts, one per
// replica, and puts the parts one after the other. So each part has contexts of
// all lengths, and is sorted.
void DealOut(std::span<uint32_t> positions, size_t shares) {
  const std::vector<uint32_t> sorted(positions.begin(), positions.end());
  size_t next = 0;
  for (size_t share = 0; share < shares; ++share) {
    for (size_t i = share; i < sorted.size(); i += shares) {
      positions[next++] = sorted[i];
    }
  }
}

// The AUROC of one column of `scores`, over the examples whose weight for the
// column's question is at least 0.5. Without both classes it is that of chance,
// which leaves the choice of an epoch to the other question.
double ColumnAuroc(const std::vector<float>& scores, int column,
                   const ExampleChunk& chunk,
                   std::span<const uint32_t> positions) {
  constexpr int kWidth = kScorers * kQuestions;
  std::vector<float> column_scores;
  std::vector<uint8_t> labels;
  for (size_t i = 0; i < positions.size(); ++i) {
    if (chunk.weights[positions[i]][column % kQuestions] < 0.5f) continue;
    column_scores.push_back(scores[i * kWidth + column]);
    labels.push_back(chunk.labels[positions[i]] > 0.5f);
  }
  const double auroc = Auroc(column_scores, labels);
  return std::isnan(auroc) ? 0.5 : auroc;
}

double Mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(values.size());
}

void TrainingRun::PrepareValid() {
  valid_.resize(data_.valid->links.size());
  std::iota(valid_.begin(), valid_.end(), 0u);
  SortByLength(*data_.valid, valid_);
}

absl::Status TrainingRun::ForEachArm(
    const std::function<absl::Status(TrainedNetwork&)>& body) {
  const auto guarded = [&](TrainedNetwork& arm) {
    return CatchTorchErrors([&] { return body(arm); });
  };
  std::vector<absl::Status> statuses(arms_.size());
  std::vector<std::jthread> helpers;
  for (size_t i = 1; i < arms_.size(); ++i) {
    const auto work = [&, i] { statuses[i] = guarded(*arms_[i]); };
    if (options_.threads > 1) {
      helpers.emplace_back(work);
    } else {
      work();
    }
  }
  statuses[0] = guarded(*arms_[0]);
  helpers.clear();
  for (const absl::Status& status : statuses) SLICE_RETURN_IF_ERROR(status);
  return absl::OkStatus();
}

ListChunk TrainingRun::EncodeLists(int epoch, size_t begin, size_t end,
                                   size_t all) const {
  const std::span<const HardQuestion> questions = data_.questions;
  if (questions.empty() || options_.lists_per_epoch == 0) return {};
  std::vector<HardQuestion> asked;
  const size_t lists = options_.lists_per_epoch;
  // Each epoch goes on where the one before ended, in an order of its own.
  for (size_t i = lists * begin / all; i < lists * end / all; ++i) {
    const size_t place = static_cast<size_t>(epoch) * lists + i;
    const uint64_t round = place / questions.size();
    const uint64_t start = MixBits(options_.seed + round);
    asked.push_back(questions[(start + kStride * (place % questions.size())) %
                              questions.size()]);
  }
  ListOptions list;
  list.length = options_.list_length;
  list.seed = CombineHash(options_.seed, 2000 + epoch);
  list.threads = options_.threads;
  return slice::EncodeLists(*data_.examples, *data_.encoder, asked, list);
}

absl::Status TrainingRun::RunChunk(const Chunk& both, Random& random) {
  const ExampleChunk& chunk = both.examples;
  const size_t lists = both.lists.lists();
  std::vector<uint32_t> order(chunk.links.size());
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), random);
  const size_t size = options_.batch_size;
  for (size_t begin = 0; begin < order.size(); begin += size) {
    const size_t end = std::min(begin + size, order.size());
    const std::span<uint32_t> positions(order.data() + begin, end - begin);
    SortByLength(chunk, positions);
    DealOut(positions, std::max(1, options_.replicas));
    const double rate =
        OneCycleRate(options_.learning_rate, step_++, total_steps_);
    SLICE_RETURN_IF_ERROR(ForEachArm([&](TrainedNetwork& arm) -> absl::Status {
      SLICE_ASSIGN_OR_RETURN(
          const double loss,
          arm.Step({&chunk, positions},
                   {&both.lists, lists * begin / order.size(),
                    lists * end / order.size()},
                   rate));
      arm.epoch_loss += loss * static_cast<double>(positions.size());
      arm.summary.examples += positions.size();
      return absl::OkStatus();
    }));
  }
  return absl::OkStatus();
}

absl::Status TrainingRun::RunEpoch(int epoch, ProgressLine& progress) {
  const int drawn =
      options_.distinct_epochs > 0 ? epoch % options_.distinct_epochs : epoch;
  const std::vector<Link> positives =
      data_.examples->EpochPositives(drawn, options_.positives_per_epoch);
  const auto encode = [&](size_t begin) -> SharedChunk {
    const auto kept = kept_.find({drawn, begin});
    if (kept != kept_.end()) return kept->second;
    const size_t count = std::min(kChunkPositives, positives.size() - begin);
    return std::make_shared<const Chunk>(
        Chunk{data_.examples->Encode(*data_.encoder,
                                     std::span(positives).subspan(begin, count),
                                     drawn, options_.threads),
              EncodeLists(drawn, begin, begin + count, positives.size())});
  };
  const auto policy =
      options_.threads > 1 ? std::launch::async : std::launch::deferred;
  Random random(CombineHash(options_.seed, 1000 + epoch));
  for (auto& arm : arms_) arm->epoch_loss = 0;
  std::future<SharedChunk> next = std::async(policy, encode, 0);
  uint64_t seen = 0;
  for (size_t begin = 0; begin < positives.size(); begin += kChunkPositives) {
    const SharedChunk chunk = next.get();
    if (options_.distinct_epochs > 0) kept_[{drawn, begin}] = chunk;
    if (begin + kChunkPositives < positives.size()) {
      next = std::async(policy, encode, begin + kChunkPositives);
    }
    SLICE_RETURN_IF_ERROR(RunChunk(*chunk, random));
    seen += chunk->examples.links.size();
    progress.SetNote(absl::StrFormat("loss %.4f", arms_[0]->epoch_loss / seen));
    progress.Advance(chunk->examples.links.size());
  }
  for (auto& arm : arms_) {
    arm->summary.losses.push_back(arm->epoch_loss /
                                  std::max<uint64_t>(seen, 1));
  }
  return absl::OkStatus();
}

std::vector<double> TrainingRun::RanksOnValid(TrainedNetwork& arm) const {
  if (data_.valid_lists == nullptr || data_.valid_lists->lists() == 0) {
    return {};
  }
  constexpr auto kAmongKind = static_cast<size_t>(Question::kAmongKind);
  return ReciprocalRanks(*data_.valid_lists, arm.Score(*data_.valid_lists),
                         static_cast<size_t>(FirstColumn()) + kAmongKind);
}

absl::StatusOr<bool> TrainingRun::Validate(int epoch) {
  const int first = FirstColumn();
  SLICE_RETURN_IF_ERROR(ForEachArm([&](TrainedNetwork& arm) -> absl::Status {
    const std::vector<float> scores = arm.Score({data_.valid, valid_});
    if (!std::all_of(scores.begin(), scores.end(),
                     [](float score) { return std::isfinite(score); }))
      return absl::OutOfRangeError("a score of a valid link is not finite");
    double auroc = 0;  // mean over the questions
    for (int question = 0; question < kQuestions; ++question) {
      const double one =
          ColumnAuroc(scores, first + question, *data_.valid, valid_);
      auroc += one / kQuestions;
      arm.summary.valid_by_question[question].push_back(one);
    }
    arm.summary.valid_auroc.push_back(auroc);
    double quality = auroc;
    const std::vector<double> ranks = RanksOnValid(arm);
    if (!ranks.empty()) {
      quality = Mean(ranks);
      arm.summary.valid_mrr.push_back(quality);
    }
    if (quality >= arm.best_quality) {
      arm.best_quality = quality;
      arm.summary.best_epoch = epoch;
      arm.KeepBest();
    }
    return absl::OkStatus();
  }));
  return std::any_of(arms_.begin(), arms_.end(), [&](const auto& arm) {
    return epoch - arm->summary.best_epoch < options_.patience;
  });
}

absl::StatusOr<bool> TrainingRun::RunAndValidate(int epoch,
                                                 ProgressLine& progress) {
  SLICE_RETURN_IF_ERROR(RunEpoch(epoch, progress));
  return Validate(epoch);
}

absl::Status TrainingRun::StopDiverged(const std::string& title, int epoch,
                                       const absl::Status& why) const {
  const std::string message(why.message());
  if (epoch == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        title, ": ", message,
        " in the first epoch; lower the learning rate, or look for huge "
        "numbers in embeddings and attributes"));
  }
  LogWarning("%s: %s; training stops here and keeps the best earlier epoch",
             title, message);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<TrainingSummary>> TrainingRun::Run(
    const std::string& title) {
  const absl::Time start = absl::Now();
  const TrainingExamples& examples = *data_.examples;
  const size_t limit = options_.positives_per_epoch;
  const size_t positives = limit == 0
                               ? examples.positive_count()
                               : std::min(limit, examples.positive_count());
  const uint64_t per_epoch = positives * examples.examples_per_positive();
  total_steps_ =
      options_.epochs *
      StepsOfPass(per_epoch, kChunkPositives * examples.examples_per_positive(),
                  options_.batch_size);
  ProgressLine progress(title, per_epoch * options_.epochs, "examples");
  for (int epoch = 0; epoch < options_.epochs; ++epoch) {
    const absl::StatusOr<bool> going_on = RunAndValidate(epoch, progress);
    if (absl::IsOutOfRange(going_on.status())) {
      SLICE_RETURN_IF_ERROR(StopDiverged(title, epoch, going_on.status()));
      break;
    }
    SLICE_RETURN_IF_ERROR(going_on.status());
    if (!*going_on) break;
  }
  std::vector<TrainingSummary> summaries;
  for (auto& arm : arms_) {
    arm->RestoreBest();
    arm->summary.seconds = absl::ToDoubleSeconds(absl::Now() - start);
    summaries.push_back(arm->summary);
  }
  const TrainingSummary& first = summaries[0];
  progress.Finish(absl::StrFormat(
      "loss %.4f, valid AUROC %.2f %%, %.2f %% among its kind%s (kept: epoch "
      "%d of %d)",
      first.losses[first.best_epoch],
      100 * first.valid_by_question[0][first.best_epoch],
      100 * first.valid_by_question[1][first.best_epoch],
      first.valid_mrr.empty()
          ? ""
          : absl::StrFormat(", MRR %.3f of hard candidates",
                            first.valid_mrr[first.best_epoch]),
      first.best_epoch + 1, static_cast<int>(first.losses.size())));
  return summaries;
}

}  // namespace

absl::StatusOr<std::vector<TrainingSummary>> TrainNetworks(
    std::span<torch::jit::Module> arms, TrainingScope scope,
    const TrainingData& data, const NetworkTrainingOptions& options,
    const std::string& title) {
  if (data.examples->positive_count() == 0) {
    return absl::FailedPreconditionError(
        "there is no train link to learn from: the training file is too small "
        "to be split into folds; use a larger file or fewer --folds");
  }
  at::manual_seed(options.seed);
  TrainingRun run(arms, scope, data, options);
  return run.Run(title);
}

}  // namespace slice
