// Keeps held-out links out of the training graph.
#ifndef SLICE_GRAPHSTORE_HELD_OUT_CHECK_H_
#define SLICE_GRAPHSTORE_HELD_OUT_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "graphstore/edge_list_importer.h"

namespace slice {

// A held-out row, and where it stands.
struct HeldOutRow {
  Link link;
  bool positive = true;
  size_t file = 0;  // position in the options
  uint64_t line = 0;
};

// Counts rows that are in a file twice (and are kept: they count twice in its
// figures). INVALID_ARGUMENT when a file labels a link both 1 and 0, naming
// both lines. REQUIRES: rows in the order of files and lines.
absl::Status CheckLabels(const EdgeListImportOptions& options,
                         const GraphCatalogue& catalogue,
                         const std::vector<HeldOutRow>& rows,
                         EdgeListImportSummary* summary);

// FAILED_PRECONDITION when a positive triple is a link of `data`, or with
// strict_pairs when its two ends are linked in any way: "file:line: ..." of the
// first and the number of them. Fills the held-out counts of `summary`.
// REQUIRES: the links of `data` are sorted.
absl::Status CheckHeldOut(
    const EdgeListImportOptions& options, const GraphData& data,
    const std::vector<std::vector<LabelledLink>>& held_out,
    const std::vector<HeldOutRow>& rows, EdgeListImportSummary* summary);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_HELD_OUT_CHECK_H_
