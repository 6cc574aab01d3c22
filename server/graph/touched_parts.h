// What changes of a graph are about, to tell whether others contradict them.
#ifndef SLICE_SERVER_GRAPH_TOUCHED_PARTS_H_
#define SLICE_SERVER_GRAPH_TOUCHED_PARTS_H_

#include <string>

#include "absl/container/flat_hash_set.h"
#include "server/graph/named_changes.h"

namespace slice {

// Changes that name nodes by their keys. Thread-compatible.
class TouchedParts {
 public:
  // Whether all changes so far and these can be applied at once with the same
  // result as one after the other: no link or node is changed twice, and no
  // node is removed that others name.
  bool Admits(const NamedChanges& changes) const;
  void Add(const NamedChanges& changes);

 private:
  // A key may hold any byte but control characters.
  absl::flat_hash_set<std::string> links_;  // source \n relation \n target
  absl::flat_hash_set<std::string> ends_, set_, removed_;  // keys
};

}  // namespace slice

#endif  // SLICE_SERVER_GRAPH_TOUCHED_PARTS_H_
