// The value of --scorer where the default scorer of a bundle is set.
#ifndef SLICE_TRAINER_SCORER_FLAG_H_
#define SLICE_TRAINER_SCORER_FLAG_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "common/status_macros.h"
#include "model/prediction.h"

namespace slice {

// Reads "auto", which leaves the choice to valid, or the name of a scorer.
// Returns the errors of ParseScorer.
inline absl::Status ReadScorerChoice(const std::string& name,
                                     std::optional<Scorer>& scorer) {
  scorer.reset();
  if (name == "auto") return absl::OkStatus();
  SLICE_ASSIGN_OR_RETURN(scorer, ParseScorer(name));
  return absl::OkStatus();
}

}  // namespace slice

#endif  // SLICE_TRAINER_SCORER_FLAG_H_
