// The layers of R-GCN. In the formula h_i is the vector of node i and N_r(i)
// its neighbours by relation and direction r.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_RGCN_ENCODER_H_
#define SLICE_TRAINER_METHODS_MESSAGES_RGCN_ENCODER_H_

#include <vector>

#include "trainer/methods/messages/graph_encoder.h"

namespace slice {

// h_i' = f(sum over relations and directions r, j in N_r(i) of h_j W_r / c_ir +
// h_i W_0 + b), where c_ir = |N_r(i)| and W_r = sum over b of a_rb V_b:
// Schlichtkrull et al., ESWC 2018, eq. 2 and 3. f is ReLU; the last layer has
// no f.
class RgcnEncoder : public GraphEncoder {
 public:
  RgcnEncoder(const EncoderShape& shape, size_t relations, int bases);

  at::Tensor RunLayer(int layer, const MessageBlock& block,
                      const at::Tensor& states, bool training) const override;

 private:
  // The numbers of the parameters of a layer: V, a, W_0 and b.
  struct Layer {
    size_t bases, of_relation, self, bias;
  };
  std::vector<Layer> layers_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_RGCN_ENCODER_H_
