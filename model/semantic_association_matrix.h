// The attention of a network over one context.
#ifndef SLICE_MODEL_SEMANTIC_ASSOCIATION_MATRIX_H_
#define SLICE_MODEL_SEMANTIC_ASSOCIATION_MATRIX_H_

#include <cstddef>
#include <vector>

namespace slice {

// The weights with which tokens attend to each other (paper, equation 2).
struct SemanticAssociationMatrix {
  int layers = 0;
  int heads = 0;
  int tokens = 0;
  // [layers, heads, tokens, tokens], row-major. Row i holds what token i
  // receives from every token j; each row sums to 1.
  std::vector<float> weights;

  // How the representations move: [layers + 1, tokens, 2], row-major. The
  // cosine of each token's representation with that of the source, and with
  // that of the target: as token embeddings (H^0), then after each layer. Empty
  // when the network was published before it could say so.
  std::vector<float> cosines = {};

  float at(int layer, int head, int to, int from) const {
    return weights[((static_cast<size_t>(layer) * heads + head) * tokens + to) *
                       tokens +
                   from];
  }

  // Attention rollout (Abnar and Zuidema, ACL 2020): [tokens, tokens]. Row i
  // says how much token i receives from every token over all layers; each row
  // sums to 1. The weights of the heads are averaged, and half of the weight of
  // each layer goes to the residual connection.
  std::vector<float> Rollout() const;
};

}  // namespace slice

#endif  // SLICE_MODEL_SEMANTIC_ASSOCIATION_MATRIX_H_
