#include "server/scheduling/stage_costs.h"

#include <algorithm>

namespace slice {
namespace {

// The running mean covers about the last 4,000 units of cost. That evens out
// the moments in which a thread waits for a core.
constexpr double kRememberedCost = 4000;

}  // namespace

void StageCosts::Report(WorkStage stage, RequestClass request_class,
                        size_t cost, int workers, absl::Duration elapsed) {
  if (cost == 0) return;
  const double unit = absl::ToDoubleSeconds(elapsed) /
                      static_cast<double>(cost) / std::max(1, workers);
  UnitCost& mean = unit_costs_[static_cast<size_t>(stage)]
                              [static_cast<size_t>(request_class)];
  mean.seen = std::min(mean.seen + static_cast<double>(cost), kRememberedCost);
  mean.seconds += (unit - mean.seconds) *
                  std::min(1.0, static_cast<double>(cost) / mean.seen);
}

double StageCosts::UnitSeconds(RequestClass request_class) const {
  const auto own = static_cast<size_t>(request_class);
  double slowest = 0;
  for (const auto& costs : unit_costs_) {
    const UnitCost& mean = costs[own].seen > 0 ? costs[own] : costs[1 - own];
    slowest = std::max(slowest, mean.seconds);
  }
  return slowest;
}

}  // namespace slice
