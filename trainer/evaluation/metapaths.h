// Names the metapaths that join the ends of links, and counts them per
// relation.
#ifndef SLICE_TRAINER_EVALUATION_METAPATHS_H_
#define SLICE_TRAINER_EVALUATION_METAPATHS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "context/context_subgraph.h"
#include "graphstore/graph_snapshot.h"
#include "trainer/report/report_parts.h"

namespace slice {

// Names the shortest path between the ends of a context, which runs along its
// edges or is one of its path tokens. For a graph with several node types the
// name lists the types, such as "paper - term - author". For a graph with one
// type it lists the relations, such as "likes> <knows", where > is along the
// link and < against it. Empty when there is no path.
std::string MetapathName(const GraphSnapshot& snapshot,
                         const ContextSubgraph& context);

struct MetapathTableOptions {
  size_t relations = 12;  // the relations with most links
  size_t rows = 4;        // metapaths of each
};

// Makes one table per relation: the most frequent metapaths among its links,
// and how many non-links have each of these metapaths. All spans are parallel.
// An empty metapath counts as "no path".
std::vector<MetapathTable> MakeMetapathTables(
    const GraphSnapshot& snapshot, std::span<const Link> links,
    std::span<const uint8_t> labels, std::span<const std::string> metapaths,
    std::span<const float> probabilities,
    const MetapathTableOptions& options = {});

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_METAPATHS_H_
