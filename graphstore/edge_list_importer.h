// Reads edge lists and node files into GraphData. An error names the line and
// the column.
//
// Link files hold one link per line: relation, source and target, separated by
// blanks. In a line that contains a tab only tabs separate, so that keys may
// contain blanks. Commas, semicolons, quotes and a header that names the
// columns are recognised (common/table/link_shape.h). Held-out files may have
// one more column, the label (1 or 0; 1 when left out). The options may name
// other columns (common/table/link_columns.h), such as a weight. When a link
// occurs several times, the largest of its weights counts.
//
// Node files hold one node per line, `key<TAB>type<TAB>name`, or commas or
// semicolons instead of tabs, after an optional header line
// (graphstore/node_rows.h). An empty name means that the key is the name.
//
// Blank lines and lines that start with # are skipped. Any file may be gzip or
// Zstandard. Files are read as streams.
//
// With a node file every key of a link must occur in it. Without one, the keys
// of links become nodes of the type "node" whose names are their keys.
#ifndef SLICE_GRAPHSTORE_EDGE_LIST_IMPORTER_H_
#define SLICE_GRAPHSTORE_EDGE_LIST_IMPORTER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/edge_list_import_options.h"
#include "graphstore/graph_data.h"
#include "graphstore/labelled_link.h"
#include "graphstore/node_attributes.h"

namespace slice {

struct EdgeListImportSummary {
  uint64_t lines = 0;       // lines of the training file that hold a link
  uint64_t duplicates = 0;  // exactly repeated training links, collapsed
  uint64_t weighted = 0;    // training links of a weight other than 1
  uint64_t self_loops = 0;  // training links from a node to itself, kept
  // Control characters in names; each became U+FFFD.
  uint64_t replaced_control_bytes = 0;
  uint64_t held_out_links = 0;       // rows of held-out files labelled 1
  uint64_t held_out_duplicates = 0;  // repeated rows of a file, kept
  // How many of `held_out_links` an earlier file labels 1, too.
  uint64_t held_out_shared = 0;
  // How many of `held_out_links` have ends that a training link joins by
  // another relation or in the other direction.
  uint64_t held_out_pairs_linked = 0;
  // Nodes that held-out files name and that have no training link.
  uint64_t held_out_only_nodes = 0;
  // One line for each file that has a row: how it is written.
  std::vector<std::string> recognised;
  // "file:line:column: reason" of each line that max_errors let pass.
  std::vector<std::string> skipped;
};

struct ImportedGraph {
  GraphData data;  // links sorted and distinct
  // Parallel to options.held_out, in file order.
  std::vector<std::vector<LabelledLink>> held_out;
  EdgeListImportSummary summary;
  NodeAttributes attributes;  // EdgeListImportOptions::attribute_columns
  // Identifies the held-out files: a SHA-256 over the digests of their texts
  // and, unless they have the default columns, over the names of their columns.
  // Empty without a held-out file.
  std::string split_digest;
};

// Reads all files, or fails with
//   INVALID_ARGUMENT and "file:line:column: reason" (columns count bytes from
//   1) for a malformed line, for a file of unknown shape, or for a held-out
//   file that labels a link 1 and 0; NOT_FOUND for a missing file;
//   FAILED_PRECONDITION when held-out links labelled 1 are in the training
//   file; the message names the first of them and says how many there are.
//   Links labelled 0 may be in the training file.
// Each relation of a held-out file must have a training link.
//
// Ids are deterministic. Nodes are numbered by their place in the node file,
// then by first appearance in train, then in the held-out files. Relations and
// node types are numbered by first appearance. Shows a progress line for each
// file that takes more than a second.
absl::StatusOr<ImportedGraph> ImportEdgeList(
    const EdgeListImportOptions& options);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_EDGE_LIST_IMPORTER_H_
