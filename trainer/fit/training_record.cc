#include "trainer/fit/training_record.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace slice {

nlohmann::json TrainingRecord(const TrainingSummary& summary) {
  return {{"losses", summary.losses},
          {"valid_auroc", summary.valid_auroc},
          {"best_epoch", summary.best_epoch},
          {"seconds", summary.seconds},
          {"examples", summary.examples}};
}

NamedCurve LossCurve(std::string name, const nlohmann::json& record) {
  NamedCurve curve{std::move(name), {}};
  for (double loss : record.value("losses", std::vector<double>())) {
    curve.points.push_back({double(curve.points.size() + 1), loss});
  }
  return curve;
}

}  // namespace slice
