// Checks that a trainer could have written the values of a manifest, and that a
// bundle belongs to a graph.
#ifndef SLICE_MODEL_MANIFEST_CHECK_H_
#define SLICE_MODEL_MANIFEST_CHECK_H_

#include <string_view>

#include "absl/status/status.h"
#include "graphstore/graph_snapshot.h"
#include "model/bundle_manifest.h"

namespace slice {

// Returns DATA_LOSS naming the first field that is malformed or out of bounds.
// The check is needed because a manifest whose digest is right may still come
// from a stranger: digests become names of folders, sizes become allocations,
// and logits are divided by temperatures.
absl::Status CheckManifest(const BundleManifest& manifest);

// Returns FAILED_PRECONDITION, naming both digests or the counts of both,
// unless the bundle of `manifest` was trained on the graph with this snapshot
// and digest.
absl::Status CheckGraph(const BundleManifest& manifest,
                        const GraphSnapshot& snapshot,
                        std::string_view graph_digest);

}  // namespace slice

#endif  // SLICE_MODEL_MANIFEST_CHECK_H_
