// The summary of a network's training as a step's record keeps it.
#ifndef SLICE_TRAINER_FIT_TRAINING_RECORD_H_
#define SLICE_TRAINER_FIT_TRAINING_RECORD_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "trainer/learning/training_summary.h"
#include "trainer/report/report_parts.h"

namespace slice {

nlohmann::json TrainingRecord(const TrainingSummary& summary);

// The losses per epoch, which a step's record holds under "losses", as a curve
// for the report. The curve has no points when there are no losses.
NamedCurve LossCurve(std::string name, const nlohmann::json& record);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_TRAINING_RECORD_H_
