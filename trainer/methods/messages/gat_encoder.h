// The layers of GAT.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_GAT_ENCODER_H_
#define SLICE_TRAINER_METHODS_MESSAGES_GAT_ENCODER_H_

#include <vector>

#include "trainer/methods/messages/graph_encoder.h"

namespace slice {

// In the formula h_i is the vector of node i; j runs over the neighbours of i
// and over i itself; a_ij is the softmax over j of LeakyReLU(s . h_i W + t .
// h_j W):
//   h_i' = f(sum_j a_ij h_j W + b)
// This is Velickovic et al., ICLR 2018, eq. 1-4. Each of the `heads` heads of a
// layer has its own W, s and t. The outputs of the heads are joined side by
// side (eq. 5); the last layer takes their mean (eq. 6). f is ELU; the last
// layer has no f.
class GatEncoder : public GraphEncoder {
 public:
  // REQUIRES: with several layers, shape.hidden is a multiple of `heads`.
  GatEncoder(const EncoderShape& shape, int heads);

  at::Tensor RunLayer(int layer, const MessageBlock& block,
                      const at::Tensor& states, bool training) const override;

 private:
  // The indices of the parameters of a layer: W, b, s and t.
  struct Layer {
    size_t weights, bias, of_destination, of_source;
  };
  const int heads_;
  std::vector<Layer> layers_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_GAT_ENCODER_H_
