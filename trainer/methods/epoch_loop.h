// The loop in which comparison methods learn: it runs epochs, measures the
// method on valid after some of them, and keeps the best state.
#ifndef SLICE_TRAINER_METHODS_EPOCH_LOOP_H_
#define SLICE_TRAINER_METHODS_EPOCH_LOOP_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "trainer/methods/link_method.h"

namespace slice {

// The method while it learns. When an epoch fails, Restore() must still bring
// back the state of the last Keep().
class EpochLearner {
 public:
  virtual ~EpochLearner() = default;

  // Passes once over the train links and returns the mean loss. A NaN loss is
  // no error: it ends the training, and `batch_name` then holds the name of the
  // batch, such as "batch 7".
  virtual absl::StatusOr<double> RunEpoch(int epoch,
                                          std::string* batch_name) = 0;
  // The quality of the present state on valid. Larger is better.
  virtual absl::StatusOr<double> MeasureValid() = 0;
  // Keep() stores a copy of the present state and drops the one before.
  // Restore() goes back to the stored state.
  virtual void Keep() = 0;
  virtual void Restore() = 0;
};

struct EpochLoopOptions {
  int epochs = 50;  // at most
  // Measurements of valid without an improvement after which the training
  // stops; 0: no limit.
  int patience = 5;
  int look_every = 1;  // epochs from one measurement of valid to the next
  std::string measure = "valid AUROC";
  absl::Duration budget = absl::InfiniteDuration();
  std::string title = "training";  // of the progress line
};

// Runs epochs until one of these happens: `epochs` have run, valid has not
// improved for `patience` measurements, the budget does not suffice for another
// epoch, or a loss or a measure of valid is not a finite number. In each case
// the learner ends in its best state. Without valid links (`has_valid` false)
// the last state is the best one. ABORTED when a loss, whose batch is named, or
// a measure is not finite before a first state was kept. Returns the errors of
// the learner.
absl::StatusOr<MethodSummary> RunEpochs(const EpochLoopOptions& options,
                                        bool has_valid, const Clock& clock,
                                        EpochLearner& learner);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_EPOCH_LOOP_H_
