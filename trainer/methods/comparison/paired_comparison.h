// By how much slice is better than another method on the same test rows.
#ifndef SLICE_TRAINER_METHODS_COMPARISON_PAIRED_COMPARISON_H_
#define SLICE_TRAINER_METHODS_COMPARISON_PAIRED_COMPARISON_H_

#include <optional>
#include <span>
#include <vector>

#include "trainer/methods/comparison/comparison_types.h"
#include "trainer/methods/test_scores.h"

namespace slice {

// Compares the mean AUROC of our runs with that of theirs, run by run. `mean`
// is the difference on the rows as they are. For its interval a paired
// bootstrap draws the test rows anew 1,000 times, for all runs alike, and gives
// the percentile interval of 95 %. Nothing when the runs are not of the same
// rows. REQUIRES: as many of ours as of theirs.
std::optional<ScoreDifference> ComparePaired(std::span<const TestScores> ours,
                                             std::span<const TestScores> theirs,
                                             int threads);

// Fills `lead_of_slice` in all cells of other methods whose runs, and those of
// slice with the same seeds, left their scores below `out`.
void AddLeads(const ComparisonOptions& options, Comparison& comparison);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_COMPARISON_PAIRED_COMPARISON_H_
