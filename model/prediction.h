// What a model says of a link.
#ifndef SLICE_MODEL_PREDICTION_H_
#define SLICE_MODEL_PREDICTION_H_

#include <cstddef>
#include <vector>

namespace slice {

// logit = logit_structural + logit_context; probability = sigmoid(logit /
// temperature).
struct Prediction {
  float logit_structural = 0;
  float logit_context = 0;
  float logit = 0;
  float probability = 0;
  bool decision = false;  // probability >= the bundle's decision threshold
};

// Who attends to whom in one context: weights [layers, heads, tokens, tokens],
// row-major; each row over the last index sums to 1. Row i holds what token i
// receives from every token j (paper, equation 3).
struct SemanticAssociationMatrix {
  int layers = 0;
  int heads = 0;
  int tokens = 0;
  std::vector<float> weights;

  float at(int layer, int head, int to, int from) const {
    return weights[((static_cast<size_t>(layer) * heads + head) * tokens + to) *
                       tokens +
                   from];
  }

  // Attention rollout (Abnar and Zuidema, ACL 2020): [tokens, tokens], rows sum
  // to 1. Heads averaged, half of each layer's weight given to the residual
  // connection.
  std::vector<float> Rollout() const;
};

}  // namespace slice

#endif  // SLICE_MODEL_PREDICTION_H_
