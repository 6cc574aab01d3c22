// Lasting changes of a served graph, as plain structs.
#ifndef SLICE_CLIENT_UPDATE_TYPES_H_
#define SLICE_CLIENT_UPDATE_TYPES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace slice {

enum class GraphEditKind { kAddLink, kRemoveLink, kUpsertNode, kRemoveNode };

// One change. Nodes are named by their keys.
struct GraphEdit {
  GraphEditKind kind = GraphEditKind::kAddLink;
  std::string source, relation, target;  // of a link
  float weight = 0;                      // of a link to add; 0: not given
  std::string key, name, type;  // of a node; empty name and type: as they are
};

// Changes that are applied together or not at all.
struct GraphEdits {
  std::vector<GraphEdit> edits;  // 1 to 10,000
  // Who sends them, and their number among what this writer sent: 1, 2, and so
  // on. A number that comes again is answered again and applied once. Empty and
  // 0: not counted.
  std::string writer;
  uint64_t sequence = 0;
};

struct UpdateAnswer {
  uint64_t graph_version = 0;
  std::vector<size_t> without_effect;    // positions of edits
  bool repeated = false;                 // it had been applied before
  std::vector<std::string> added_types;  // node types that are new
};

struct GraphStateInfo {
  uint64_t graph_version = 0;
  uint64_t base_version = 0;
  std::string state_digest;
  uint64_t nodes = 0;
  uint64_t links = 0;
  bool writable = false;
  std::string not_writable_reason;
  uint64_t last_sequence = 0;  // of the writer that was asked for
};

// What a copy of the graph holds.
struct CheckpointInfo {
  uint64_t graph_version = 0;
  std::string state_digest;
};

}  // namespace slice

#endif  // SLICE_CLIENT_UPDATE_TYPES_H_
