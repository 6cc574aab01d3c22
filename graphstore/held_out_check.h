// Keeps held-out links out of the training graph.
#ifndef SLICE_GRAPHSTORE_HELD_OUT_CHECK_H_
#define SLICE_GRAPHSTORE_HELD_OUT_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/edge_list_import_options.h"
#include "graphstore/graph_data.h"
#include "graphstore/labelled_link.h"

namespace slice {

// A row of a held-out file, and where it stands.
struct HeldOutRow {
  LabelledLink labelled;
  size_t file = 0;    // position in EdgeListImportOptions::held_out
  uint64_t line = 0;  // from 1
};

struct HeldOutCounts {
  uint64_t links = 0;       // rows labelled 1
  uint64_t duplicates = 0;  // repeated rows of a file, kept
  // How many of `links` an earlier file labels 1, too.
  uint64_t shared = 0;
  // How many of `links` have ends that a training link joins by another
  // relation or in the other direction.
  uint64_t pairs_linked = 0;
  // Nodes that a row names and that have no training link.
  uint64_t unlinked_nodes = 0;
};

// Checks the held-out rows against the training graph `data` and counts them.
// Errors:
//   INVALID_ARGUMENT when a file labels a link both 1 and 0, naming both lines;
//   FAILED_PRECONDITION when a link labelled 1 is a link of `data`, or with
//   `strict_pairs` when any training link joins its ends. The message names the
//   first such row as "file:line: ..." and says how many there are.
// REQUIRES: `rows` come in the order of files and lines, and the links of
// `data` are sorted.
absl::StatusOr<HeldOutCounts> CheckHeldOut(const EdgeListImportOptions& options,
                                           const GraphData& data,
                                           const std::vector<HeldOutRow>& rows);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_HELD_OUT_CHECK_H_
