// Golden links: links with the logits that the trainer computed for them, as a
// member of a bundle. A program that computes other logits must not serve the
// bundle.
#ifndef SLICE_MODEL_GOLDEN_LINKS_H_
#define SLICE_MODEL_GOLDEN_LINKS_H_

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "context/link_encoder.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/types.h"
#include "model/batch_scorer.h"
#include "model/bundle_manifest.h"
#include "model/prediction.h"

namespace slice {

inline constexpr char kGoldenLinksMember[] = "golden_links.json";
inline constexpr size_t kGoldenLinks = 256;

// All outputs of a network for one link: [scorer][question].
using LinkLogits = std::array<std::array<float, kQuestions>, kScorers>;

struct GoldenLinks {
  std::vector<Link> links;
  std::vector<LinkLogits> logits;  // of each link
};

// `count` links: half are links of the graph, if it has any, and half are drawn
// at random. Deterministic in `seed`.
std::vector<Link> DrawGoldenLinks(const GraphSnapshot& snapshot, size_t count,
                                  uint64_t seed);

// The logits of `links`, in their order. Returns the errors of
// BatchScorer::Predict.
absl::StatusOr<std::vector<LinkLogits>> ScoreLinks(
    const std::vector<Link>& links, const GraphSnapshot& snapshot,
    const LinkEncoder& encoder, const BatchScorer& scorer);

// Returns the largest difference between a logit of the golden links and that
// of `scorer`, divided by max(1, |logit|), if it is at most `tolerance`.
// Otherwise FAILED_PRECONDITION naming the link that differs most and the two
// logits. Also the errors of ScoreLinks.
absl::StatusOr<double> CheckGoldenLinks(const GoldenLinks& golden,
                                        const GraphSnapshot& snapshot,
                                        const LinkEncoder& encoder,
                                        const BatchScorer& scorer,
                                        double tolerance);
// What float32 and bfloat16 networks may differ by.
double GoldenTolerance(ForwardPath path);

// The member's text.
std::string GoldenLinksToJson(const GoldenLinks& golden);
// DATA_LOSS when `json` is no such text of a bundle with this manifest.
absl::StatusOr<GoldenLinks> GoldenLinksFromJson(std::string_view json,
                                                const BundleManifest& manifest);

}  // namespace slice

#endif  // SLICE_MODEL_GOLDEN_LINKS_H_
