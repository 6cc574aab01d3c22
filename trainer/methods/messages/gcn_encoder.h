// The layers of GCN.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_GCN_ENCODER_H_
#define SLICE_TRAINER_METHODS_MESSAGES_GCN_ENCODER_H_

#include <vector>

#include "trainer/methods/messages/graph_encoder.h"

namespace slice {

// A layer turns the vectors h_i of the nodes i into h_i', where d_i is the
// number of neighbours of i, and j runs over these neighbours and over i
// itself:
//   h_i' = f(sum_j h_j W / sqrt((d_i + 1) (d_j + 1)) + b)
// This is Kipf and Welling, ICLR 2017, eq. 2. f is ReLU; the last layer has no
// f.
class GcnEncoder : public GraphEncoder {
 public:
  explicit GcnEncoder(const EncoderShape& shape);

  at::Tensor RunLayer(int layer, const MessageBlock& block,
                      const at::Tensor& states, bool training) const override;

 private:
  // The indices of the parameters of a layer: W and b.
  struct Layer {
    size_t weights, bias;
  };
  std::vector<Layer> layers_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_GCN_ENCODER_H_
