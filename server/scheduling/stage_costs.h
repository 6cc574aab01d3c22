// How long a unit of cost takes at each stage, as measured lately.
#ifndef SLICE_SERVER_SCHEDULING_STAGE_COSTS_H_
#define SLICE_SERVER_SCHEDULING_STAGE_COSTS_H_

#include <array>
#include <cstddef>

#include "absl/time/time.h"
#include "server/scheduling/work_item.h"

namespace slice {

// The stages whose time per cost predicts the wait.
enum class WorkStage { kContext = 0, kModel = 1 };

// Thread-compatible.
class StageCosts {
 public:
  // Reports that a worker took `elapsed` for work of this class and cost.
  // `workers` is the number of workers that the stage runs at the same time.
  void Report(WorkStage stage, RequestClass request_class, size_t cost,
              int workers, absl::Duration elapsed);

  // Seconds per cost of the slowest stage, when all its workers are busy; zero
  // before the first report. A class without reports is assumed to cost the
  // same as the other class.
  double UnitSeconds(RequestClass request_class) const;

 private:
  // A running mean of the seconds per cost; the plain mean at first.
  struct UnitCost {
    double seconds = 0;
    double seen = 0;  // the cost that the mean covers
  };

  // By stage and class.
  std::array<std::array<UnitCost, kRequestClasses>, 2> unit_costs_;
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_STAGE_COSTS_H_
