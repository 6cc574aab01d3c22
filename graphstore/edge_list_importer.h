// Edge lists and node files into GraphData, with exact errors.
//
// Link files: `relation source target`, one link per line, separated by blanks;
// in a line that contains a tab only tabs separate, so that keys may contain
// blanks. A fourth column is allowed in held-out files only (label 1 or 0;
// 1 when left out). Other columns are named by options (link_rows.h), weights
// among them: of a link that is there several times the largest stays. Node
// files: `key<TAB>type<TAB>name` with an optional header line (node_rows.h); an
// empty name is the key. Blank lines and lines starting with # are skipped. Any
// file may be gzip or Zstandard; files are read as streams.
//
// With a node file every key of a link must be in it; without one, keys become
// nodes of the type "node", named as their keys.
#ifndef SLICE_GRAPHSTORE_EDGE_LIST_IMPORTER_H_
#define SLICE_GRAPHSTORE_EDGE_LIST_IMPORTER_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/graph_data.h"
#include "graphstore/link_rows.h"
#include "graphstore/node_attributes.h"

namespace slice {

struct EdgeListImportOptions {
  std::filesystem::path train;  // links of the graph
  // Valid and test files: keys join the catalogue, links never do.
  std::vector<std::filesystem::path> held_out;
  std::filesystem::path nodes;  // optional
  LinkColumns columns;          // of train
  // Of the held-out files; those of train when not given, a label behind them
  // when they have none.
  std::optional<LinkColumns> held_out_columns;
  // Columns of the node file, named in its header, that hold numbers.
  std::vector<std::string> attribute_columns;
  // Also refuse held-out pairs linked in train in any way.
  bool strict_pairs = false;
  // Malformed lines to skip and report; 0 = stop at the first.
  int64_t max_errors = 0;
  // A node past this number is an error; ids are 32 bits wide.
  uint64_t max_nodes = kNoNode;
};

struct EdgeListImportSummary {
  uint64_t lines = 0;       // of the training file, with a link on them
  uint64_t duplicates = 0;  // exact repeated triples, collapsed
  uint64_t weighted = 0;    // links of a weight other than 1
  uint64_t self_loops = 0;  // kept
  // Control characters in names, which became U+FFFD.
  uint64_t replaced_control_bytes = 0;
  uint64_t held_out_links = 0;       // positive rows of the held-out files
  uint64_t held_out_duplicates = 0;  // repeated rows of a file, kept
  // Of these, pairs that train links by another relation or direction.
  uint64_t held_out_pairs_linked = 0;
  uint64_t held_out_only_nodes = 0;  // nodes without a link in train that
                                     // held-out files name
  // "file:line:column: reason", when max_errors allows them.
  std::vector<std::string> skipped;
};

// One labelled link of a held-out file.
struct LabelledLink {
  Link link;
  bool positive = true;
};

struct ImportedGraph {
  GraphData data;  // links sorted and distinct
  // Parallel to options.held_out, in file order.
  std::vector<std::vector<LabelledLink>> held_out;
  EdgeListImportSummary summary;
  NodeAttributes attributes;  // as asked for
  // SHA-256 over the digests of the held-out files' texts (and their columns,
  // unless they are the usual ones); empty without any.
  std::string split_digest;
};

// Sets the columns from lists as LinkColumns::Parse takes them; an empty list
// leaves what is there.
absl::Status ApplyColumns(std::string_view columns,
                          std::string_view held_out_columns,
                          EdgeListImportOptions* options);

// Reads everything, or fails with "file:line:column: reason"
// (INVALID_ARGUMENT; columns count bytes from 1), NOT_FOUND for a missing file,
// or FAILED_PRECONDITION for a held-out positive triple that is in the training
// file (the first is named, all are counted). Rows with label 0 may be in
// train; a link that one held-out file labels both 1 and 0 is INVALID_ARGUMENT.
// Ids are deterministic: node file order first, then first appearance in train,
// then in the held-out files; relations and node types by first appearance. A
// relation that only held-out files name is an error. Shows a progress line per
// file that takes more than a second.
absl::StatusOr<ImportedGraph> ImportEdgeList(
    const EdgeListImportOptions& options);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_EDGE_LIST_IMPORTER_H_
