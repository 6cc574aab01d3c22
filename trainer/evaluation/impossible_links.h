// Asks a model about pairs that cannot be links, and counts how often it calls
// one a link.
#ifndef SLICE_TRAINER_EVALUATION_IMPOSSIBLE_LINKS_H_
#define SLICE_TRAINER_EVALUATION_IMPOSSIBLE_LINKS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/graph_snapshot.h"
#include "trainer/evaluation/evaluation_links.h"
#include "trainer/evaluation/link_scoring.h"
#include "trainer/report/calibration_parts.h"

namespace slice {

// How many pairs of each kind are asked about.
inline constexpr size_t kImpossiblePairs = 1000;

// Each pair is made from a link that is drawn uniformly from the graph. No pair
// occurs twice, none is a link of the graph or of `known`. There are fewer than
// asked for when the graph has no more.
//
// A self pair has one end of the link at both ends. Relations with a self loop
// in the graph have none.
std::vector<Link> DrawSelfPairs(const GraphSnapshot& snapshot,
                                const KnownLinks& known, size_t count,
                                uint64_t seed);
// A pair off schema has one end of the link and, at the other end, a node drawn
// uniformly among all that do not fit there (graphstore/relation_schema.h).
std::vector<Link> DrawOffSchemaPairs(const GraphSnapshot& snapshot,
                                     const KnownLinks& known, size_t count,
                                     uint64_t seed);

// Scores kImpossiblePairs of each kind, none of them of `known`, as `reading`
// says. Returns the errors of the scorer.
absl::StatusOr<std::vector<ImpossibleLinks>> MeasureImpossibleLinks(
    const ScoringModel& model, const OutputReading& reading,
    const KnownLinks& known, int threads);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_IMPOSSIBLE_LINKS_H_
