// Whether the values of a manifest are ones that a trainer could have written.
// Internal to model/.
#ifndef SLICE_MODEL_MANIFEST_CHECK_H_
#define SLICE_MODEL_MANIFEST_CHECK_H_

#include "absl/status/status.h"
#include "model/model_bundle.h"

namespace slice {

// DATA_LOSS naming the first field whose form or bounds are broken. Digests
// become names of folders, sizes become allocations, temperatures divide: a
// manifest whose digest is right may still come from a stranger.
absl::Status CheckManifest(const BundleManifest& manifest);

}  // namespace slice

#endif  // SLICE_MODEL_MANIFEST_CHECK_H_
