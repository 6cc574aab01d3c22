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

// The shortest path from end to end in a context, along its edges or as one of
// its path tokens. A graph with node types names the types, such as
// "paper - term - author". A graph with one type names the relations, such as
// "likes> <knows", where > is along the link and < against it. Empty without a
// path.
std::string MetapathName(const GraphSnapshot& snapshot,
                         const ContextSubgraph& context);

struct MetapathTableOptions {
  size_t relations = 12;  // the relations with most links
  size_t rows = 4;        // metapaths of each
};

// Per relation, the most frequent metapaths among its links, and how many
// non-links have each. All spans are parallel. An empty metapath counts as "no
// path".
std::vector<MetapathTable> MakeMetapathTables(
    const GraphSnapshot& snapshot, std::span<const Link> links,
    std::span<const uint8_t> labels, std::span<const std::string> metapaths,
    std::span<const float> probabilities,
    const MetapathTableOptions& options = {});

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_METAPATHS_H_
