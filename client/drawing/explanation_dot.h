// Writes a scored link and its explanation as a graph for Graphviz.
#ifndef SLICE_CLIENT_DRAWING_EXPLANATION_DOT_H_
#define SLICE_CLIENT_DRAWING_EXPLANATION_DOT_H_

#include <string>

#include "client/link_types.h"

namespace slice {

// Returns a DOT digraph of the links of the context, or of its paths. The
// metapath is bold, and the scored link is dashed. REQUIRES: link.status.ok(),
// and link.explanation is set.
std::string ExplanationAsDot(const ScoredLink& link);

}  // namespace slice

#endif  // SLICE_CLIENT_DRAWING_EXPLANATION_DOT_H_
