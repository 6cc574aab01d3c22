// An update of a graph that is served, and what became of it.
#ifndef SLICE_SERVER_GRAPH_GRAPH_UPDATE_H_
#define SLICE_SERVER_GRAPH_GRAPH_UPDATE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "server/graph/named_changes.h"

namespace slice {

// What an update did.
struct UpdateOutcome {
  uint64_t graph_version = 0;
  // As ChangedGraph::without_effect.
  std::vector<uint32_t> without_effect;
  // The update had been accepted before, and was not applied again.
  bool repeated = false;
  // Node types that the graph did not have before. Empty if `repeated`.
  std::vector<std::string> added_types;
};

// Changes that are applied together or not at all. They passed
// ValidateNamedChanges and name nodes by their keys.
struct GraphUpdate {
  NamedChanges changes;
  // Who sends it, and its number among the updates of this writer: 1, 2, and so
  // on. A number that comes again is answered again. Empty and 0: not counted.
  std::string writer;
  uint64_t sequence = 0;
  uint64_t host = 0;  // of the client; hosts share the queue
  // The version that a change feed gave the update, which it makes even if it
  // is refused: then one without changes. 0: no feed; a refused update makes no
  // version.
  uint64_t feed_version = 0;
  // Called once, by the thread that writes.
  std::function<void(const absl::StatusOr<UpdateOutcome>&)> done;
};

struct LiveGraphState {
  uint64_t graph_version = 0;
  uint64_t base_version = 0;   // of the stored graph, without the log
  uint64_t first_version = 0;  // as ChangeLog::first_version
  std::string state_digest;
  size_t waiting_changes = 0;
  uint64_t applied_changes = 0;  // since the start, without repeated ones
  uint64_t applied_updates = 0;
  uint64_t refused_updates = 0;
  uint64_t changes_since_compaction = 0;
  uint64_t compactions = 0;
  uint64_t commits = 0;        // writes to disk; each may hold several updates
  absl::Duration commit_time;  // of all commits together
  absl::Status writable;       // why updates are refused, or OK
};

}  // namespace slice

#endif  // SLICE_SERVER_GRAPH_GRAPH_UPDATE_H_
