// What to import, and how to read it.
#ifndef SLICE_GRAPHSTORE_EDGE_LIST_IMPORT_OPTIONS_H_
#define SLICE_GRAPHSTORE_EDGE_LIST_IMPORT_OPTIONS_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "graphstore/link_columns.h"
#include "graphstore/types.h"

namespace slice {

struct EdgeListImportOptions {
  std::filesystem::path train;  // links of the graph
  // Valid and test files. Their keys join the catalogue, their links do not
  // join the graph.
  std::vector<std::filesystem::path> held_out;
  std::filesystem::path nodes;  // optional
  LinkColumns columns;          // of train
  // Columns of the held-out files. Without them, the columns of train are used,
  // and if those have no label, a label may follow in each row.
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

// Sets the columns of `options` from lists as LinkColumns::Parse takes them. An
// empty list changes nothing. INVALID_ARGUMENT as LinkColumns::Parse.
absl::Status ApplyColumns(std::string_view columns,
                          std::string_view held_out_columns,
                          EdgeListImportOptions* options);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_EDGE_LIST_IMPORT_OPTIONS_H_
