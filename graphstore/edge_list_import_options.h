// What to import, and how to read it.
#ifndef SLICE_GRAPHSTORE_EDGE_LIST_IMPORT_OPTIONS_H_
#define SLICE_GRAPHSTORE_EDGE_LIST_IMPORT_OPTIONS_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/table/link_columns.h"
#include "common/table/table_dialect.h"
#include "graphstore/types.h"

namespace slice {

struct EdgeListImportOptions {
  std::filesystem::path train;  // links of the graph
  // Valid and test files. Their keys join the catalogue, their links do not
  // join the graph.
  std::vector<std::filesystem::path> held_out;
  std::filesystem::path nodes;  // optional
  // How the link files are written. What is missing is recognised.
  TableFormat format;
  std::optional<LinkColumns> columns;  // of train; recognised when missing
  // Columns of the held-out files. Without them, `columns` are used, and if
  // those have no label, a label may follow in each row. Without both, the
  // columns are recognised.
  std::optional<LinkColumns> held_out_columns;
  // Columns of the node file, named in its header, that hold numbers.
  std::vector<std::string> attribute_columns;
  // Also refuse a held-out pair that a training link joins by another relation
  // or in the other direction.
  bool strict_pairs = false;
  // How many malformed lines to skip and report; 0 = stop at the first.
  int64_t max_errors = 0;
  // The largest number of nodes; one node more is an error. The default is what
  // ids of 32 bits allow.
  uint64_t max_nodes = kNoNode;
};

// What a command line says about the link files; empty where it says nothing.
struct LinkFileTexts {
  std::string columns, held_out_columns;  // as LinkColumns::Parse takes them
  std::string format;                     // as ParseTableFormat takes it
};

// Sets the columns and the format of `options`. An empty text changes nothing.
// Returns the errors of LinkColumns::Parse and ParseTableFormat.
absl::Status ApplyLinkFileTexts(const LinkFileTexts& texts,
                                EdgeListImportOptions* options);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_EDGE_LIST_IMPORT_OPTIONS_H_
