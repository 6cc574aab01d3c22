// The network that the step `rank` trained to rank candidates.
#ifndef SLICE_TRAINER_FIT_RANKING_NETWORK_H_
#define SLICE_TRAINER_FIT_RANKING_NETWORK_H_

#include <filesystem>
#include <string>

#include "trainer/fit/fit_options.h"

namespace slice {

struct RankingNetwork {
  std::filesystem::path network_file;  // empty: the model itself ranks
  std::string fingerprint;
};

// Whether `fit` has this step: not for networks without pair features, in a
// leaky run, or with --hard-questions 0.
inline bool LearnsToRank(const FitOptions& options) {
  return options.hard_questions > 0 && !options.leaky &&
         options.uses_pair_features();
}

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_RANKING_NETWORK_H_
