// How faithful the explanations of a model are.
#ifndef SLICE_TRAINER_REPORT_FIDELITY_RESULT_H_
#define SLICE_TRAINER_REPORT_FIDELITY_RESULT_H_

#include <cstdint>

namespace slice {

// Mean absolute changes of the probability `without` some items of evidence,
// and with `only` these items (DeYoung et al., ACL 2020: comprehensiveness and
// sufficiency).
struct FidelityChange {
  double without = 0, only = 0;
};

// How faithful explanations are, over links for which they name evidence.
struct FidelityResult {
  uint64_t links = 0;
  uint64_t without_reason = 0;  // further links: nothing changes their score
  double items = 0;             // of evidence on average
  double explained = 0;         // how many of these the explanation names
  // For the evidence that the explanation names, for as many random items, and
  // for at most as many of the paths that the ends attend to most.
  FidelityChange named, random, attention;
};

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_FIDELITY_RESULT_H_
