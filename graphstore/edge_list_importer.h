// Edge lists and node files into GraphData, with exact errors.
//
// Link files: `relation source target` separated by blanks or tabs, one link
// per line; a fourth column is allowed in held-out files only (label 1 or 0).
// Node files: `key<TAB>type<TAB>name`, an optional header line
// `id|key<TAB>type<TAB>name`. Blank lines and lines starting with # are
// skipped.
#ifndef SLICE_GRAPHSTORE_EDGE_LIST_IMPORTER_H_
#define SLICE_GRAPHSTORE_EDGE_LIST_IMPORTER_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/graph_data.h"

namespace slice {

struct EdgeListImportOptions {
  std::filesystem::path train;  // links of the graph
  std::vector<std::filesystem::path>
      held_out;  // valid and test files: keys join the catalogue, links never
                 // do
  std::filesystem::path nodes;  // optional
  bool strict_pairs =
      false;  // also refuse held-out pairs linked in train in any way
  int64_t max_errors =
      0;  // malformed lines to skip and report; 0 = stop at the first
};

struct EdgeListImportSummary {
  uint64_t lines = 0;
  uint64_t duplicates = 0;  // exact repeated triples, collapsed
  uint64_t self_loops = 0;  // kept
  uint64_t replaced_control_bytes =
      0;                        // names with control bytes, which became U+FFFD
  uint64_t held_out_links = 0;  // positive rows of the held-out files
  uint64_t held_out_pairs_linked =
      0;  // of these, pairs that train links by another relation or direction
  std::vector<std::string>
      skipped;  // "file:line:column: reason", when max_errors allows them
};

// One labelled link of a held-out file.
struct LabelledLink {
  Link link;
  bool positive = true;
};

struct ImportedGraph {
  GraphData data;
  std::vector<std::vector<LabelledLink>>
      held_out;  // parallel to options.held_out, in file order
  EdgeListImportSummary summary;
  std::string split_digest;  // SHA-256 over the held-out files' digests; empty
                             // without any
};

// Reads everything, or fails with "file:line:column: reason"
// (INVALID_ARGUMENT), NOT_FOUND for a missing file, or FAILED_PRECONDITION for
// a held-out positive triple that is in the training file (the first is named,
// all are counted). Ids are deterministic: node file order first, then first
// appearance in train, then in the held-out files; relations sort by first
// appearance in train.
absl::StatusOr<ImportedGraph> ImportEdgeList(
    const EdgeListImportOptions& options);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_EDGE_LIST_IMPORTER_H_
