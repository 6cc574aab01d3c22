// The train graph as messages see it: the arcs along which a node receives
// messages.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_MESSAGE_GRAPH_H_
#define SLICE_TRAINER_METHODS_MESSAGES_MESSAGE_GRAPH_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "graphstore/graph_snapshot.h"
#include "graphstore/link_folds.h"
#include "graphstore/types.h"

namespace slice {

// The arc of a message from `neighbor`. The label is 2 r along a link of
// relation r (from its source to its target), 2 r + 1 against it.
struct MessageArc {
  NodeId neighbor = 0;
  uint32_t label = 0;

  // Orders by (label, neighbour).
  auto operator<=>(const MessageArc& other) const {
    return std::pair(label, neighbor) <=>
           std::pair(other.label, other.neighbor);
  }
  bool operator==(const MessageArc&) const = default;
};

// The links that carry no message: all links whose pair is in `fold`.
struct HiddenLinks {
  const LinkFolds* folds = nullptr;  // folds by pair; null: nothing is hidden
  int fold = 0;

  bool Hides(NodeId a, NodeId b) const {
    return folds != nullptr && folds->FoldOfPair(a, b) == fold;
  }
};

struct MessageGraphOptions {
  // Whether arcs have relations. If not, all links between two nodes count as
  // one arc with the label 0.
  bool relations = true;
  // Whether every node also sends a message to itself, with the last label.
  bool self_arcs = false;
  // Whether blocks list their sources by label (labelled_sources.h).
  bool labelled_sources = false;
};

// The arcs into each node. Self loops of the graph are left out; encoders
// decide how a node uses its own vector. Immutable; thread-safe.
class MessageGraph {
 public:
  MessageGraph(const GraphSnapshot& snapshot,
               const MessageGraphOptions& options);

  size_t node_count() const { return row_start_.size() - 1; }
  size_t arc_count() const { return arcs_.size(); }  // without self arcs
  // Labels are 0 .. label_count() - 1.
  uint32_t label_count() const { return label_count_; }
  bool has_self_arcs() const { return has_self_arcs_; }
  bool has_labelled_sources() const { return has_labelled_sources_; }
  uint32_t Type(NodeId node) const { return types_[node]; }

  // The arcs into `node` by (label, neighbour), without the self arc.
  std::span<const MessageArc> Arcs(NodeId node) const {
    return {arcs_.data() + row_start_[node],
            arcs_.data() + row_start_[node + 1]};
  }
  // The number of arcs into `node` that `hidden` does not hide.
  size_t CountVisible(NodeId node, const HiddenLinks& hidden) const;

 private:
  const bool has_self_arcs_, has_labelled_sources_;
  uint32_t label_count_ = 0;
  std::vector<uint32_t> types_;            // [nodes]
  std::vector<uint64_t> row_start_ = {0};  // [nodes + 1]
  std::vector<MessageArc> arcs_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_MESSAGE_GRAPH_H_
