// The layers of the graph convolutions that the paper compares with.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_GRAPH_CONVOLUTIONS_H_
#define SLICE_TRAINER_METHODS_MESSAGES_GRAPH_CONVOLUTIONS_H_

#include <vector>

#include "trainer/methods/messages/graph_encoder.h"

namespace slice {

// h_i' = f(sum over j in N(i) and i of h_j W / sqrt((d_i + 1) (d_j + 1)) + b):
// Kipf and Welling, ICLR 2017, eq. 2. f is ReLU, and nothing in the last layer.
class GcnEncoder : public GraphEncoder {
 public:
  explicit GcnEncoder(const EncoderShape& shape);

  MessageGraphOptions graph_options() const override {
    return {.relations = false, .self_arcs = true};
  }
  at::Tensor RunLayer(int layer, const MessageBlock& block,
                      const at::Tensor& states, bool training) const override;

 private:
  struct Layer {
    size_t weights, bias;
  };
  std::vector<Layer> layers_;
};

// h_i' = f(sum over j in N(i) and i of a_ij h_j W + b), a_ij the softmax over j
// of LeakyReLU(s . h_i W + t . h_j W): Velickovic et al., ICLR 2018, eq. 1-4.
// Several heads side by side, and one in the last layer; f is ELU, and nothing
// in the last layer.
class GatEncoder : public GraphEncoder {
 public:
  // REQUIRES: shape.hidden is a multiple of `heads`.
  GatEncoder(const EncoderShape& shape, int heads);

  MessageGraphOptions graph_options() const override {
    return {.relations = false, .self_arcs = true};
  }
  at::Tensor RunLayer(int layer, const MessageBlock& block,
                      const at::Tensor& states, bool training) const override;

 private:
  struct Layer {
    int heads;
    size_t weights, bias, of_destination, of_source;
  };
  std::vector<Layer> layers_;
};

// h_i' = f(sum over relations and directions r, j in N_r(i) of h_j W_r / c_ir
// + h_i W_0 + b), c_ir = |N_r(i)|, W_r = sum over b of a_rb V_b: Schlichtkrull
// et al., ESWC 2018, eq. 2 and 3. f is ReLU, and nothing in the last layer.
class RgcnEncoder : public GraphEncoder {
 public:
  RgcnEncoder(const EncoderShape& shape, size_t relations, int bases);

  MessageGraphOptions graph_options() const override {
    return {.relations = true, .self_arcs = false};
  }
  at::Tensor RunLayer(int layer, const MessageBlock& block,
                      const at::Tensor& states, bool training) const override;

 private:
  struct Layer {
    size_t bases, of_relation, self, bias;
  };
  std::vector<Layer> layers_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_GRAPH_CONVOLUTIONS_H_
