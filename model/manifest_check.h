// Whether a trainer could have written the values of a manifest. Internal to
// model/.
#ifndef SLICE_MODEL_MANIFEST_CHECK_H_
#define SLICE_MODEL_MANIFEST_CHECK_H_

#include "absl/status/status.h"
#include "model/bundle_manifest.h"

namespace slice {

// DATA_LOSS naming the first field that is malformed or out of bounds. Digests
// become names of folders, sizes become allocations, logits are divided by
// temperatures: a manifest with the right digest may still come from a
// stranger.
absl::Status CheckManifest(const BundleManifest& manifest);

}  // namespace slice

#endif  // SLICE_MODEL_MANIFEST_CHECK_H_
