// The layers of GAT.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_GAT_ENCODER_H_
#define SLICE_TRAINER_METHODS_MESSAGES_GAT_ENCODER_H_

#include <vector>

#include "trainer/methods/messages/graph_encoder.h"

namespace slice {

// A layer turns the vectors h_i of the nodes i into h_i', where j runs over the
// neighbours of i and over i itself:
//   h_i' = f(sum_j a_ij h_j W + b)
//   a_ij = softmax over j of LeakyReLU(s . h_i W + t . h_j W)
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
