#include "model/golden_links_staging.h"

#include "common/files.h"
#include "common/status_macros.h"
#include "model/golden_links.h"
#include "model/link_predictor.h"
#include "model/model_bundle.h"

namespace slice {

absl::Status StageGoldenLinks(const std::filesystem::path& staging,
                              const BundleManifest& manifest,
                              const GraphSnapshot& snapshot) {
  SLICE_ASSIGN_OR_RETURN(const BundleManifest described,
                         DescribeBundle(staging, manifest));
  SLICE_RETURN_IF_ERROR(WriteFileAtomically(staging / "MANIFEST.json",
                                            ManifestToJson(described)));
  SLICE_ASSIGN_OR_RETURN(const auto bundle, ModelBundle::Open(staging));
  SLICE_ASSIGN_OR_RETURN(const auto encoder, bundle->MakeEncoder());
  SLICE_ASSIGN_OR_RETURN(
      const auto predictor,
      LinkPredictor::Create(
          bundle, {.device = "cpu", .path = ForwardPath::kTorchScript}));
  GoldenLinks golden;
  golden.links = DrawGoldenLinks(snapshot, kGoldenLinks, manifest.seed);
  SLICE_ASSIGN_OR_RETURN(
      golden.logits, ScoreLinks(golden.links, snapshot, *encoder, *predictor));
  return WriteFileAtomically(staging / kGoldenLinksMember,
                             GoldenLinksToJson(golden));
}

}  // namespace slice
