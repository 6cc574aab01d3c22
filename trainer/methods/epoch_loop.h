// The one loop in which comparison methods learn: epochs, a look at valid after
// some, the best state kept.
#ifndef SLICE_TRAINER_METHODS_EPOCH_LOOP_H_
#define SLICE_TRAINER_METHODS_EPOCH_LOOP_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "trainer/methods/link_method.h"

namespace slice {

// What is trained. A failed epoch has spoilt nothing that Restore() does not
// mend.
class EpochLearner {
 public:
  virtual ~EpochLearner() = default;

  // One pass; the mean loss. NaN is no error but the end: `where` then names
  // the batch.
  virtual absl::StatusOr<double> RunEpoch(int epoch, std::string* where) = 0;
  // How good the present state is on valid; larger is better.
  virtual absl::StatusOr<double> MeasureValid() = 0;
  // Keeps the present state, in the place of one kept before; goes back to it.
  virtual void Keep() = 0;
  virtual void Restore() = 0;
};

struct EpochLoopOptions {
  int epochs = 50;     // at most
  int patience = 5;    // looks at valid without a better one; 0: no limit
  int look_every = 1;  // epochs between two looks at valid
  std::string measure = "valid AUROC";
  absl::Duration budget = absl::InfiniteDuration();
  std::string title = "training";  // of the progress line
};

// Ends after so many epochs, when valid gets no better, when the budget would
// not last for another epoch, or when a loss is no number; whatever it was, the
// learner is left in its best state. With `has_valid` false the last state
// counts. ABORTED, naming the batch, when no epoch came to an end before a loss
// was no number.
absl::StatusOr<MethodSummary> RunEpochs(const EpochLoopOptions& options,
                                        bool has_valid, const Clock& clock,
                                        EpochLearner& learner);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_EPOCH_LOOP_H_
