// Whether a trainer could have written the values of a manifest, and whether a
// bundle belongs to a graph.
#ifndef SLICE_MODEL_MANIFEST_CHECK_H_
#define SLICE_MODEL_MANIFEST_CHECK_H_

#include <string_view>

#include "absl/status/status.h"
#include "graphstore/graph_snapshot.h"
#include "model/bundle_manifest.h"

namespace slice {

// DATA_LOSS naming the first field that is malformed or out of bounds. Digests
// become names of folders, sizes become allocations, logits are divided by
// temperatures: a manifest with the right digest may still come from a
// stranger.
absl::Status CheckManifest(const BundleManifest& manifest);

// FAILED_PRECONDITION, naming both digests or counts, unless the bundle of
// `manifest` was trained on the graph with this snapshot and digest.
absl::Status CheckGraph(const BundleManifest& manifest,
                        const GraphSnapshot& snapshot,
                        std::string_view graph_digest);

}  // namespace slice

#endif  // SLICE_MODEL_MANIFEST_CHECK_H_
