// The training graph with the held-out links in it: LEAKY by design, for the
// comparisons of `slice-trainer leak`, of `slice-trainer baseline --leaky` and
// of the preset paper-leaky alone.
#ifndef SLICE_TRAINER_FIT_LEAKY_SNAPSHOT_H_
#define SLICE_TRAINER_FIT_LEAKY_SNAPSHOT_H_

#include <memory>

#include "absl/status/statusor.h"
#include "graphstore/edge_list_importer.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// The training graph with the positives of all held-out files added to its
// links. Held-out links have no weight, so they weigh 1. Returns the errors of
// GraphSnapshot::Build.
absl::StatusOr<std::shared_ptr<const GraphSnapshot>> BuildLeakySnapshot(
    const ImportedGraph& imported);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_LEAKY_SNAPSHOT_H_
