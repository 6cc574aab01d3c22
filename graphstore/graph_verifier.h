// Checks a stored graph against itself.
#ifndef SLICE_GRAPHSTORE_GRAPH_VERIFIER_H_
#define SLICE_GRAPHSTORE_GRAPH_VERIFIER_H_

#include "graphstore/graph_database.h"
#include "graphstore/graph_store.h"
#include "graphstore/graph_verification.h"

namespace slice {

// Reads every record of `database` and lists each contradiction to `metadata`
// or to another record. Holds the whole graph in memory while it works.
GraphVerification VerifyGraph(const GraphDatabase& database,
                              const GraphMetadata& metadata);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_VERIFIER_H_
