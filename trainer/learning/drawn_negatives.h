// Non-links for a held-out file that has none.
#ifndef SLICE_TRAINER_LEARNING_DRAWN_NEGATIVES_H_
#define SLICE_TRAINER_LEARNING_DRAWN_NEGATIVES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/labelled_link.h"

namespace slice {

// If `rows` has positives alone, appends a non-link for each: the source or the
// target, either one, is redrawn uniformly among all nodes. None is a link of
// the graph or a row. Returns how many were appended. FAILED_PRECONDITION when
// the graph allows no negatives.
absl::StatusOr<size_t> AddDrawnNegatives(const GraphSnapshot& snapshot,
                                         uint64_t seed,
                                         std::vector<LabelledLink>& rows);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_DRAWN_NEGATIVES_H_
