// Random heterogeneous multigraphs for property tests: hubs, isolated nodes,
// self loops, repeated triples, parallel relations and reversed links.
#ifndef SLICE_TESTS_TESTING_RANDOM_MULTIGRAPH_H_
#define SLICE_TESTS_TESTING_RANDOM_MULTIGRAPH_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "graphstore/graph_data.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

struct RandomMultigraphOptions {
  size_t nodes = 40;
  size_t links = 160;  // drawn; some are repeats
  size_t relations = 4;
  size_t node_types = 3;
  size_t hubs = 2;        // nodes 0 .. hubs-1
  size_t isolated = 3;    // the last nodes of the catalogue
  double hub_rate = 0.3;  // links with a hub at one end
  double self_loop_rate = 0.05;
  double repeat_rate = 0.05;    // exact copy of an earlier link
  double parallel_rate = 0.15;  // ends of an earlier link, another relation
  double reverse_rate = 0.1;    // ends of an earlier link, exchanged
  bool weighted = false;        // weights from 0.1 to 3.1
};

// The same graph for the same options and seed. Keys are "n0", "n1", ...; names
// repeat; links are in the order drawn, repeats included.
GraphData RandomMultigraph(const RandomMultigraphOptions& options,
                           uint64_t seed);

// The same catalogue with only the links that `hidden` refuses.
GraphData RebuildWithout(const GraphData& data,
                         const std::function<bool(const Link&)>& hidden);

// GraphSnapshot::Build, which must succeed.
std::shared_ptr<const GraphSnapshot> BuildSnapshotOrDie(const GraphData& data);

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_RANDOM_MULTIGRAPH_H_
