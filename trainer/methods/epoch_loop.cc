// One iteration runs an epoch. After every look_every-th epoch and after the
// last one it measures valid, and keeps the state when it is the best so far.
// Then it decides whether to stop. `stopped` holds the reason to stop, and is
// empty while the loop runs.
//
// The budget counts as spent when the next epoch, at the mean time of the
// epochs so far, would exceed it (trainer/training_budget.h). The last epoch
// that fits is always measured, so that its state can be the best one.
#include "trainer/methods/epoch_loop.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "trainer/training_budget.h"

namespace slice {
namespace {

// One call of RunEpochs().
class EpochLoop {
 public:
  EpochLoop(const EpochLoopOptions& options, bool has_valid, const Clock& clock,
            EpochLearner& learner)
      : options_(options),
        has_valid_(has_valid),
        clock_(clock),
        learner_(learner),
        start_(clock.Now()),
        progress_(options.title, static_cast<uint64_t>(options.epochs),
                  "epochs") {}

  absl::StatusOr<MethodSummary> Run() {
    summary_.measure = options_.measure;
    while (summary_.stopped.empty()) SLICE_RETURN_IF_ERROR(RunOne());
    if (summary_.best_epoch == 0) return absl::AbortedError(summary_.stopped);
    learner_.Restore();
    summary_.seconds = absl::ToDoubleSeconds(clock_.Now() - start_);
    progress_.Finish(summary_.stopped);
    return summary_;
  }

 private:
  absl::Status RunOne() {
    const int epoch = summary_.epochs + 1;
    std::string batch_name;
    SLICE_ASSIGN_OR_RETURN(const double loss,
                           learner_.RunEpoch(epoch, &batch_name));
    if (!std::isfinite(loss)) {
      summary_.stopped =
          absl::StrCat("the loss was not a number in epoch ", epoch, ", ",
                       batch_name, "; a lower learning_rate may help");
      return absl::OkStatus();
    }
    summary_.epochs = epoch;
    summary_.loss.push_back({static_cast<double>(epoch), loss});
    progress_.Advance(1);
    std::string note = absl::StrFormat("loss %.4f", loss);
    // One reading decides, so that an epoch which is the last one is measured.
    bool is_spent = IsSpent(epoch);
    if (!has_valid_) {
      KeepAs(epoch);
    } else if (epoch % options_.look_every == 0 || is_spent ||
               epoch >= options_.epochs) {
      SLICE_RETURN_IF_ERROR(MeasureValid(epoch));
      is_spent = IsSpent(epoch);
    }
    if (summary_.best_epoch > 0 && has_valid_) {
      absl::StrAppendFormat(&note, ", best %s %.4f in epoch %d",
                            options_.measure, summary_.best_valid,
                            summary_.best_epoch);
    }
    progress_.SetNote(note);
    if (summary_.stopped.empty()) {
      summary_.stopped = ReasonToStop(epoch, is_spent);
    }
    return absl::OkStatus();
  }

  absl::Status MeasureValid(int epoch) {
    SLICE_ASSIGN_OR_RETURN(const double valid, learner_.MeasureValid());
    if (!std::isfinite(valid)) {
      summary_.stopped =
          absl::StrCat("the ", options_.measure, " was not a number after ",
                       epoch, " epochs; a lower learning_rate may help");
      return absl::OkStatus();
    }
    summary_.valid.push_back({static_cast<double>(epoch), valid});
    if (summary_.best_epoch == 0 || valid > summary_.best_valid) {
      KeepAs(epoch);
      summary_.best_valid = valid;
      measurements_since_best_ = 0;
    } else {
      ++measurements_since_best_;
    }
    return absl::OkStatus();
  }

  void KeepAs(int epoch) {
    learner_.Keep();
    summary_.best_epoch = epoch;
  }

  bool IsSpent(int epoch) const {
    return IsBudgetSpent(options_.budget, clock_.Now() - start_, epoch);
  }

  std::string ReasonToStop(int epoch, bool is_spent) const {
    if (epoch >= options_.epochs) {
      return absl::StrCat("all ", epoch, " epochs done");
    }
    if (options_.patience > 0 &&
        measurements_since_best_ >= options_.patience) {
      return absl::StrCat("no better for ",
                          measurements_since_best_ * options_.look_every,
                          " epochs");
    }
    return is_spent ? SpentBudgetText(options_.budget) : "";
  }

  const EpochLoopOptions& options_;
  const bool has_valid_;
  const Clock& clock_;
  EpochLearner& learner_;
  const absl::Time start_;
  ProgressLine progress_;
  MethodSummary summary_;
  int measurements_since_best_ = 0;
};

}  // namespace

absl::StatusOr<MethodSummary> RunEpochs(const EpochLoopOptions& options,
                                        bool has_valid, const Clock& clock,
                                        EpochLearner& learner) {
  return EpochLoop(options, has_valid, clock, learner).Run();
}

}  // namespace slice
