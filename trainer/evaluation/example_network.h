// The context of a link as a small network for a report.
#ifndef SLICE_TRAINER_EVALUATION_EXAMPLE_NETWORK_H_
#define SLICE_TRAINER_EVALUATION_EXAMPLE_NETWORK_H_

#include <cstddef>
#include <span>

#include "common/page/svg_network.h"
#include "context/context_subgraph.h"
#include "graphstore/graph_snapshot.h"
#include "model/semantic_association_matrix.h"

namespace slice {

// The two ends, and the tokens at the positions `between`. A path token gives
// the nodes and links of its path, a node token its node with its links to the
// other nodes shown. A link weighs as much as the ends attend to the tokens it
// comes from: [0, 2].
Network NetworkOf(const GraphSnapshot& snapshot, const ContextSubgraph& context,
                  const SemanticAssociationMatrix& attention,
                  std::span<const size_t> between);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_EXAMPLE_NETWORK_H_
