#include "client/drawing/node_labels.h"

namespace slice {

NodeLabels::NodeLabels(const ScoredLink& link) {
  Add(link.source);
  Add(link.target);
  if (!link.explanation) return;
  for (const ExplainedToken& token : link.explanation->tokens) {
    if (token.kind == ExplainedKind::kNode) Add(token.node);
    for (const ExplainedPathStep& step : token.path) Add(step.node);
  }
  for (const ExplainedStep& step : link.explanation->metapath) Add(step.node);
  for (const ExplainedContext& context : link.explanation->contexts) {
    for (const ExplainedToken& token : context.tokens) {
      if (token.kind == ExplainedKind::kNode) Add(token.node);
    }
  }
}

void NodeLabels::Add(const NodeInfo& node) {
  keys_[node.Label()].insert(node.key);
}

std::string NodeLabels::Of(const NodeInfo& node) const {
  const auto found = keys_.find(node.Label());
  const bool repeated = found != keys_.end() && found->second.size() > 1;
  return repeated ? node.Label() + " [" + node.key + "]" : node.Label();
}

}  // namespace slice
