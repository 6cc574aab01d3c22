// Keeps held-out links out of the training graph.
#ifndef SLICE_GRAPHSTORE_HELD_OUT_CHECK_H_
#define SLICE_GRAPHSTORE_HELD_OUT_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "graphstore/edge_list_importer.h"

namespace slice {

// A positive held-out row, and where it stands.
struct HeldOutRow {
  Link link;
  size_t file = 0;  // position in the options
  uint64_t line = 0;
};

// FAILED_PRECONDITION when a positive triple is a link of `data`, or with
// strict_pairs when its two ends are linked in any way: "file:line: ..." of the
// first and the number of them. Fills the held-out counts of `summary`.
// REQUIRES: the links of `data` are sorted.
absl::Status CheckHeldOut(
    const EdgeListImportOptions& options, const GraphData& data,
    const std::vector<std::vector<LabelledLink>>& held_out,
    const std::vector<HeldOutRow>& positives, EdgeListImportSummary* summary);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_HELD_OUT_CHECK_H_
