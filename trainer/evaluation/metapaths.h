// Which metapaths join the ends of links: the symbolic reading of contexts.
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

// The shortest way through a context, by its nodes and edges or by one of its
// path tokens. With node types as types, "paper - term -
// paper - author"; in a graph with a single type as relations, "likes> <knows"
// (along and against its direction). Empty without a way.
std::string MetapathName(const GraphSnapshot& snapshot,
                         const ContextSubgraph& context);

struct MetapathTableOptions {
  size_t relations = 12;  // those with most links
  size_t rows = 4;        // metapaths of each
};

// Per relation its most frequent metapaths among the links, and how many
// non-links have the same. All spans are parallel; an empty metapath counts as
// "no path".
std::vector<MetapathTable> MakeMetapathTables(
    const GraphSnapshot& snapshot, std::span<const Link> links,
    std::span<const uint8_t> labels, std::span<const std::string> metapaths,
    std::span<const float> probabilities,
    const MetapathTableOptions& options = {});

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_METAPATHS_H_
