#include "trainer/walk_flags.h"

namespace slice {

void AddWalkFlags(CommandFlags& command, Node2vecOptions& options) {
  command.Add("--walks-per-node", options.walks_per_node,
              "node2vec: random walks from each node");
  command.Add("--walk-length", options.walk_length,
              "node2vec: nodes of a walk");
  command.Add("--window", options.window,
              "node2vec: nodes to either side that count as near");
  command.Add("--subsample", options.subsample,
              "node2vec: drop nodes above this share of all visits; 0: none");
}

}  // namespace slice
