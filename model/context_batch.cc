// Assemble first counts rows and finds the longest context, then allocates
// every array filled with padding (node -1, kind 0, relation 0), and then
// writes the tokens and edges of each context over the padding. Select copies
// some rows of a batch and cuts the padding to the longest of them.
#include "model/context_batch.h"

#include <algorithm>

namespace slice {
namespace {

// What ContextBatch::nodes says of a token of `link`. Appends the embedding of
// a node that the bundle does not know.
int64_t NodeOf(const ContextToken& token, const EncodedLink& link,
               ContextBatch& batch) {
  if (token.node == kNoNode || !link.has_embeddings) return -1;
  for (const UnknownEmbedding& unknown : link.unknown_nodes) {
    if (unknown.node != token.node) continue;
    std::vector<float>& rows = batch.unknown_embeddings;
    const size_t row = rows.size() / unknown.values.size();
    rows.insert(rows.end(), unknown.values.begin(), unknown.values.end());
    return -2 - static_cast<int64_t>(row);
  }
  return token.node;
}

void FillTokens(const ContextSubgraph& context, const EncodedLink& link,
                int64_t row, ContextBatch& batch) {
  for (size_t i = 0; i < context.tokens.size(); ++i) {
    const ContextToken& token = context.tokens[i];
    const int64_t at = row * batch.tokens + static_cast<int64_t>(i);
    batch.nodes[at] = NodeOf(token, link, batch);
    batch.kinds[at] = static_cast<int64_t>(token.kind);
    batch.roles[at] = static_cast<int64_t>(token.role);
    std::copy(token.features.begin(), token.features.end(),
              batch.token_features.begin() + at * batch.token_features_dim);
    std::copy(token.relations.begin(), token.relations.end(),
              batch.token_relations.begin() + at * 3);
  }
}

// Writes the signed relations between tokens. If several edges join two tokens,
// the first one counts. Edges are sorted by source, target and relation.
void FillEdges(const ContextSubgraph& context, int64_t row,
               ContextBatch& batch) {
  const auto at = [&](uint16_t from, uint16_t to) -> int64_t& {
    return batch
        .pair_relations[(row * batch.tokens + from) * batch.tokens + to];
  };
  for (const ContextEdge& edge : context.edges) {
    int64_t& forward = at(edge.source, edge.target);
    if (forward == 0) {
      forward = SignedRelation(edge.relation, Direction::kOut);
    }
    int64_t& backward = at(edge.target, edge.source);
    if (backward == 0) {
      backward = SignedRelation(edge.relation, Direction::kIn);
    }
  }
}

}  // namespace

double ContextBatch::PaddingRatio() const {
  if (rows * tokens == 0) return 0;
  int64_t real = 0;
  for (int64_t count : row_tokens) real += count;
  return 1.0 - static_cast<double>(real) / static_cast<double>(rows * tokens);
}

ContextBatch ContextBatch::Assemble(std::span<const EncodedLink* const> links) {
  ContextBatch batch;
  batch.links = static_cast<int64_t>(links.size());
  batch.token_features_dim = kTokenFeatureCount;
  for (const EncodedLink* link : links) {
    batch.rows += static_cast<int64_t>(link->contexts.size());
    batch.pair_features_dim = static_cast<int64_t>(link->pair_features.size());
    for (const ContextSubgraph& context : link->contexts) {
      batch.tokens =
          std::max(batch.tokens, static_cast<int64_t>(context.tokens.size()));
    }
  }
  const int64_t cells = batch.rows * batch.tokens;
  batch.nodes.assign(cells, -1);
  batch.kinds.assign(cells, 0);
  batch.roles.assign(cells, 0);
  batch.token_features.assign(cells * batch.token_features_dim, 0.0f);
  batch.token_relations.assign(cells * 3, 0);
  batch.pair_relations.assign(cells * batch.tokens, 0);
  batch.pair_features.reserve(batch.rows * batch.pair_features_dim);
  int64_t row = 0;
  for (size_t i = 0; i < links.size(); ++i) {
    batch.flags.push_back(links[i]->flags);
    batch.knowledge_logits.push_back(links[i]->knowledge_logits);
    for (const ContextSubgraph& context : links[i]->contexts) {
      FillTokens(context, *links[i], row, batch);
      FillEdges(context, row, batch);
      batch.relation.push_back(links[i]->link.relation);
      batch.pair_features.insert(batch.pair_features.end(),
                                 links[i]->pair_features.begin(),
                                 links[i]->pair_features.end());
      batch.row_link.push_back(static_cast<int64_t>(i));
      batch.row_tokens.push_back(static_cast<int64_t>(context.tokens.size()));
      ++row;
    }
  }
  return batch;
}

ContextBatch ContextBatch::Select(std::span<const int64_t> chosen) const {
  ContextBatch batch;
  batch.links = links;
  batch.flags = flags;
  batch.knowledge_logits = knowledge_logits;
  batch.unknown_embeddings = unknown_embeddings;
  batch.rows = static_cast<int64_t>(chosen.size());
  batch.token_features_dim = token_features_dim;
  batch.pair_features_dim = pair_features_dim;
  for (int64_t row : chosen) {
    batch.tokens = std::max(batch.tokens, row_tokens[row]);
  }
  // Appends the first `batch.tokens` tokens of a row of `from` to `to`. `from`
  // has `tokens` tokens in each row and `width` values for each token.
  const auto append = [&](const auto& from, int64_t row, int64_t width,
                          auto& to) {
    const auto begin = from.begin() + row * tokens * width;
    to.insert(to.end(), begin, begin + batch.tokens * width);
  };
  for (int64_t row : chosen) {
    append(nodes, row, 1, batch.nodes);
    append(kinds, row, 1, batch.kinds);
    append(roles, row, 1, batch.roles);
    append(token_features, row, token_features_dim, batch.token_features);
    append(token_relations, row, 3, batch.token_relations);
    for (int64_t i = 0; i < batch.tokens; ++i) {
      append(pair_relations, row * tokens + i, 1, batch.pair_relations);
    }
    batch.relation.push_back(relation[row]);
    const auto features = pair_features.begin() + row * pair_features_dim;
    batch.pair_features.insert(batch.pair_features.end(), features,
                               features + pair_features_dim);
    batch.row_link.push_back(row_link[row]);
    batch.row_tokens.push_back(row_tokens[row]);
  }
  return batch;
}

}  // namespace slice
