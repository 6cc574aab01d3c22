// What a link costs at each stage, as measured lately.
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
  // Tells what a stage just took for work of a class: `elapsed` on the clock
  // for this much cost, by one of `workers` workers that run at once.
  void Report(WorkStage stage, RequestClass request_class, size_t cost,
              int workers, absl::Duration elapsed);

  // Seconds per cost of the slowest stage; zero before anything was measured. A
  // class that was not seen yet is taken to cost what the other one does.
  double UnitSeconds(RequestClass request_class) const;

 private:
  // The mean of the seconds per cost, of late; plain until enough was seen.
  struct UnitCost {
    double seconds = 0;
    double seen = 0;
  };

  // By stage and class.
  std::array<std::array<UnitCost, kRequestClasses>, 2> unit_costs_;
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_STAGE_COSTS_H_
