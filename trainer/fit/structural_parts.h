// What a training of the structural scorer depends on, for the fingerprints of
// the steps that make one.
#ifndef SLICE_TRAINER_FIT_STRUCTURAL_PARTS_H_
#define SLICE_TRAINER_FIT_STRUCTURAL_PARTS_H_

#include <nlohmann/json_fwd.hpp>

#include "trainer/fit/fit_options.h"

namespace slice {

// The options by flag, as parts of a step (step_fingerprint.h).
nlohmann::json StructuralParts(const FitOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_STRUCTURAL_PARTS_H_
