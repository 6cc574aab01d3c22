// MANIFEST.json to and from BundleManifest. Internal to model/.
#ifndef SLICE_MODEL_BUNDLE_MANIFEST_H_
#define SLICE_MODEL_BUNDLE_MANIFEST_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "model/model_bundle.h"

namespace slice {

// Indented JSON, keys sorted.
std::string ManifestToJson(const BundleManifest& manifest);

// FAILED_PRECONDITION for a format or contract version this build does not
// read; DATA_LOSS naming the field that is missing or of the wrong type.
absl::StatusOr<BundleManifest> ManifestFromJson(std::string_view json);

}  // namespace slice

#endif  // SLICE_MODEL_BUNDLE_MANIFEST_H_
