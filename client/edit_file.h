// A file of changes of a graph, for `slice-client update file`.
//
// One change per line, with tabs between the fields:
//   +      source  relation  target  [weight]    adds a link.
//   -      source  relation  target              removes a link.
//   +node  key  [type  [name]]                   adds or changes a node.
//   -node  key                                   removes a node and its links.
//
// Blank lines are skipped. So are lines that begin with #.
#ifndef SLICE_CLIENT_EDIT_FILE_H_
#define SLICE_CLIENT_EDIT_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "client/update_types.h"

namespace slice {

struct EditFile {
  std::vector<GraphEdit> edits;
  std::vector<uint64_t> lines;  // of each edit, from 1
};

// Reads the changes in `text`; `name` names the text in errors.
// INVALID_ARGUMENT "name:line:column: reason" for the first malformed line, and
// when there is no change.
absl::StatusOr<EditFile> ParseEdits(std::string_view name,
                                    std::string_view text);

// The sizes of batches of at most `most` consecutive changes, in which no two
// changes contradict each other: a batch has no order. So the file means the
// same as its changes one by one.
std::vector<size_t> BatchSizes(const std::vector<GraphEdit>& edits,
                               size_t most);

}  // namespace slice

#endif  // SLICE_CLIENT_EDIT_FILE_H_
