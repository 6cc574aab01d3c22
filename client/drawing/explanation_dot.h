// A scored link and its reasons as a graph for Graphviz.
#ifndef SLICE_CLIENT_DRAWING_EXPLANATION_DOT_H_
#define SLICE_CLIENT_DRAWING_EXPLANATION_DOT_H_

#include <string>

#include "client/link_types.h"

namespace slice {

// A digraph of the links of the context or of its paths, the metapath in bold
// and the scored link dashed.
// REQUIRES: link.status.ok() and link.explanation.
std::string ExplanationAsDot(const ScoredLink& link);

}  // namespace slice

#endif  // SLICE_CLIENT_DRAWING_EXPLANATION_DOT_H_
