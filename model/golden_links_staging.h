// Adds golden links to a bundle that is about to be published.
#ifndef SLICE_MODEL_GOLDEN_LINKS_STAGING_H_
#define SLICE_MODEL_GOLDEN_LINKS_STAGING_H_

#include <filesystem>

#include "absl/status/status.h"
#include "graphstore/graph_snapshot.h"
#include "model/bundle_manifest.h"

namespace slice {

// Scores golden links by the network of `staging`, a directory with all other
// members of a bundle, and adds them to it. `manifest` is as PublishBundle
// takes it. Leaves a MANIFEST.json in `staging`, which publishing replaces.
absl::Status StageGoldenLinks(const std::filesystem::path& staging,
                              const BundleManifest& manifest,
                              const GraphSnapshot& snapshot);

}  // namespace slice

#endif  // SLICE_MODEL_GOLDEN_LINKS_STAGING_H_
