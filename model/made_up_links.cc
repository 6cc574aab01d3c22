#include "model/made_up_links.h"

#include "common/random.h"

namespace slice {
namespace {

// 0, or a relation in one of its two directions.
int32_t RandomSignedRelation(const MadeUpBounds& bounds, Random& random) {
  const auto relation = static_cast<RelationId>(random.Below(bounds.relations));
  switch (random.Below(3)) {
    case 0:
      return SignedRelation(relation, Direction::kOut);
    case 1:
      return SignedRelation(relation, Direction::kIn);
    default:
      return 0;
  }
}

ContextToken RandomToken(const MadeUpBounds& bounds, size_t position,
                         Random& random) {
  ContextToken token;
  token.role = position == 0   ? TokenRole::kSource
               : position == 1 ? TokenRole::kTarget
                               : TokenRole::kBetween;
  token.kind = position > 1 && random.Below(2) == 0 ? TokenKind::kPath
                                                    : TokenKind::kNode;
  if (bounds.nodes > 0 && token.kind == TokenKind::kNode) {
    token.node = static_cast<NodeId>(random.Below(bounds.nodes));
  }
  for (int32_t& relation : token.relations) {
    relation = RandomSignedRelation(bounds, random);
  }
  for (float& feature : token.features) {
    feature = static_cast<float>(random.Uniform());
  }
  return token;
}

}  // namespace

EncodedLink MadeUpLink(const MadeUpBounds& bounds, size_t tokens,
                       uint64_t seed) {
  Random random(seed);
  EncodedLink link;
  link.link.relation = static_cast<RelationId>(random.Below(bounds.relations));
  ContextSubgraph context;
  for (size_t i = 0; i < tokens; ++i) {
    context.tokens.push_back(RandomToken(bounds, i, random));
    context.edges.push_back(
        {static_cast<uint16_t>(i), static_cast<uint16_t>(random.Below(i + 1)),
         static_cast<RelationId>(random.Below(bounds.relations))});
  }
  link.contexts.push_back(std::move(context));
  for (size_t i = 0; i < bounds.pair_features; ++i) {
    link.pair_features.push_back(static_cast<float>(2 * random.Uniform() - 1));
  }
  return link;
}

}  // namespace slice
