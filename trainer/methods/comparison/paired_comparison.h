// By how much slice is better than another method on the same test rows.
#ifndef SLICE_TRAINER_METHODS_COMPARISON_PAIRED_COMPARISON_H_
#define SLICE_TRAINER_METHODS_COMPARISON_PAIRED_COMPARISON_H_

#include <optional>
#include <span>
#include <vector>

#include "trainer/methods/comparison/comparison_types.h"
#include "trainer/methods/test_scores.h"

namespace slice {

// Compares the mean AUROC of our runs with that of theirs. `mean` is the
// difference on the rows as they are. For its interval a paired bootstrap draws
// the test rows anew 1,000 times, for all runs alike, and gives the percentile
// interval of 95 %: it says what other test rows would change, not what other
// seeds would. Nothing without runs on either side, or when they are not of the
// same rows.
std::optional<ScoreDifference> ComparePaired(std::span<const TestScores> ours,
                                             std::span<const TestScores> theirs,
                                             int threads);

// Fills `lead_of_slice` in all cells of other methods, from all runs of the
// method and of slice that left their scores below `out`. The lead in `earlier`
// is taken over where it is of more runs of both, if all of these stand in the
// table.
void AddLeads(const ComparisonOptions& options,
              std::span<const ComparedCell> earlier, Comparison& comparison);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_COMPARISON_PAIRED_COMPARISON_H_
