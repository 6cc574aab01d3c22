// How long a unit of cost takes at each stage, as measured lately.
#ifndef SLICE_SERVER_SCHEDULING_STAGE_COSTS_H_
#define SLICE_SERVER_SCHEDULING_STAGE_COSTS_H_

#include <array>
#include <cstddef>

#include "absl/time/time.h"
#include "server/scheduling/work_item.h"

namespace slice {

// The stages whose cost per item predicts the wait.
enum class WorkStage { kContext = 0, kModel = 1 };

// Thread-compatible.
class StageCosts {
 public:
  // Reports that one of `workers` workers, which run at once, took `elapsed`
  // for work of this class and cost at a stage.
  void Report(WorkStage stage, RequestClass request_class, size_t cost,
              int workers, absl::Duration elapsed);

  // Seconds per cost of the slowest stage, all its workers together; zero
  // before the first report. A class without reports is assumed to cost the
  // same as the other class.
  double UnitSeconds(RequestClass request_class) const;

 private:
  // A running mean of the seconds per cost; the plain mean at first.
  struct UnitCost {
    double seconds = 0;
    double seen = 0;  // cost that the mean is over
  };

  // By stage and class.
  std::array<std::array<UnitCost, kRequestClasses>, 2> unit_costs_;
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_STAGE_COSTS_H_
