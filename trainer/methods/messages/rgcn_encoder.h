// The layers of R-GCN.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_RGCN_ENCODER_H_
#define SLICE_TRAINER_METHODS_MESSAGES_RGCN_ENCODER_H_

#include <vector>

#include "trainer/methods/messages/graph_encoder.h"

namespace slice {

// A layer turns the vectors h_i of the nodes i into h_i', where r runs over the
// relations and directions, and j over N_r(i), the neighbours of i by r:
//   h_i' = f(sum_r sum_j h_j W_r / |N_r(i)| + h_i W_0 + b)
//   W_r = sum_k a_rk V_k
// This is Schlichtkrull et al., ESWC 2018, eq. 2 and 3. The matrices V_k are
// the bases, which all W_r share. f is ReLU; the last layer has no f.
class RgcnEncoder : public GraphEncoder {
 public:
  RgcnEncoder(const EncoderShape& shape, size_t relations, int bases);

  at::Tensor RunLayer(int layer, const MessageBlock& block,
                      const at::Tensor& states, bool training) const override;

 private:
  // The indices of the parameters of a layer: V, a, W_0 and b.
  struct Layer {
    size_t bases, of_relation, self, bias;
  };
  std::vector<Layer> layers_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_RGCN_ENCODER_H_
