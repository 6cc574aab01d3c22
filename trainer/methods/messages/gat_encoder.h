// The layers of GAT. In the formula h_i is the vector of node i, N(i) its
// neighbours.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_GAT_ENCODER_H_
#define SLICE_TRAINER_METHODS_MESSAGES_GAT_ENCODER_H_

#include <vector>

#include "trainer/methods/messages/graph_encoder.h"

namespace slice {

// h_i' = f(sum over j in N(i) and i of a_ij h_j W + b), where a_ij is the
// softmax over j of LeakyReLU(s . h_i W + t . h_j W): Velickovic et al., ICLR
// 2018, eq. 1-4. Each of the `heads` heads of a layer has a W, an s and a t of
// its own. Their outputs are joined side by side (eq. 5); the last layer takes
// their mean (eq. 6). f is ELU; the last layer has no f.
class GatEncoder : public GraphEncoder {
 public:
  // REQUIRES: with several layers, shape.hidden is a multiple of `heads`.
  GatEncoder(const EncoderShape& shape, int heads);

  at::Tensor RunLayer(int layer, const MessageBlock& block,
                      const at::Tensor& states, bool training) const override;

 private:
  // The numbers of the parameters of a layer: W, b, s and t.
  struct Layer {
    size_t weights, bias, of_destination, of_source;
  };
  const int heads_;
  std::vector<Layer> layers_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_GAT_ENCODER_H_
