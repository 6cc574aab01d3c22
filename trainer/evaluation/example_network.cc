#include "trainer/evaluation/example_network.h"

#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "graphstore/types.h"

namespace slice {
namespace {

constexpr size_t kSource = 0, kTarget = 1;  // tokens, and nodes of a network

class NetworkBuilder {
 public:
  NetworkBuilder(const GraphSnapshot& snapshot, const ContextSubgraph& context)
      : snapshot_(snapshot), context_(context) {
    for (const size_t end : {kSource, kTarget}) {
      network_.nodes.push_back(NodeOf(context.tokens[end].node));
    }
  }

  void AddPath(const ContextToken& token, double weight) {
    size_t at = kSource;
    for (size_t step = 0; step <= token.path.size(); ++step) {
      const size_t next =
          step == token.path.size() ? kTarget : PositionOf(token.path[step]);
      const int32_t relation = token.relations[step];
      const std::string name =
          snapshot_.RelationName(RelationOfSigned(relation));
      DirectionOfSigned(relation) == Direction::kOut
          ? AddLink(at, next, name, weight)
          : AddLink(next, at, name, weight);
      at = next;
    }
  }

  void AddNode(size_t token, double weight) {
    position_of_token_[token] = PositionOf(context_.tokens[token].node);
    weight_of_token_[token] = weight;
  }

  // The links among the nodes of AddNode and the ends.
  void AddEdges() {
    position_of_token_[kSource] = kSource;
    position_of_token_[kTarget] = kTarget;
    for (const ContextEdge& edge : context_.edges) {
      const auto source = position_of_token_.find(edge.source);
      const auto target = position_of_token_.find(edge.target);
      if (source == position_of_token_.end() ||
          target == position_of_token_.end()) {
        continue;
      }
      AddLink(source->second, target->second,
              snapshot_.RelationName(edge.relation),
              weight_of_token_[edge.source] + weight_of_token_[edge.target]);
    }
  }

  Network Build() { return std::move(network_); }

 private:
  NetworkNode NodeOf(NodeId node) const {
    if (node == kNoNode) return {"nothing", ""};
    return {snapshot_.Name(node),
            snapshot_.node_type_count() < 2
                ? ""
                : snapshot_.TypeName(snapshot_.Type(node))};
  }

  size_t PositionOf(NodeId node) {
    const auto [found, is_new] =
        position_of_node_.emplace(node, network_.nodes.size());
    if (is_new) network_.nodes.push_back(NodeOf(node));
    return found->second;
  }

  // Adds the weight to the same link of another path, where there is one.
  void AddLink(size_t source, size_t target, const std::string& name,
               double weight) {
    for (NetworkLink& link : network_.links) {
      if (link.source == source && link.target == target && link.name == name) {
        link.weight += weight;
        return;
      }
    }
    network_.links.push_back({source, target, name, weight});
  }

  const GraphSnapshot& snapshot_;
  const ContextSubgraph& context_;
  Network network_;
  std::map<NodeId, size_t> position_of_node_;
  std::map<size_t, size_t> position_of_token_;
  std::map<size_t, double> weight_of_token_;
};

}  // namespace

Network NetworkOf(const GraphSnapshot& snapshot, const ContextSubgraph& context,
                  const SemanticAssociationMatrix& attention,
                  std::span<const size_t> between) {
  const std::vector<float> rollout = attention.Rollout();
  const auto tokens = static_cast<size_t>(attention.tokens);
  NetworkBuilder builder(snapshot, context);
  for (const size_t i : between) {
    const ContextToken& token = context.tokens[i];
    const double weight = rollout[i] + rollout[tokens + i];
    if (token.kind == TokenKind::kPath) builder.AddPath(token, weight);
    if (token.kind == TokenKind::kNode) builder.AddNode(i, weight);
  }
  builder.AddEdges();
  return builder.Build();
}

}  // namespace slice
