// The layers of GCN, GAT and R-GCN. The formulas use: h_i is the vector of node
// i, N(i) its neighbours, d_i their number.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_GRAPH_CONVOLUTIONS_H_
#define SLICE_TRAINER_METHODS_MESSAGES_GRAPH_CONVOLUTIONS_H_

#include <vector>

#include "trainer/methods/messages/graph_encoder.h"

namespace slice {

// h_i' = f(sum over j in N(i) and i of h_j W / sqrt((d_i + 1) (d_j + 1)) + b):
// Kipf and Welling, ICLR 2017, eq. 2. f is ReLU; the last layer has no f.
class GcnEncoder : public GraphEncoder {
 public:
  explicit GcnEncoder(const EncoderShape& shape);

  MessageGraphOptions graph_options() const override {
    return {.relations = false, .self_arcs = true};
  }
  at::Tensor RunLayer(int layer, const MessageBlock& block,
                      const at::Tensor& states, bool training) const override;

 private:
  // The numbers of the parameters of a layer: W and b.
  struct Layer {
    size_t weights, bias;
  };
  std::vector<Layer> layers_;
};

// h_i' = f(sum over j in N(i) and i of a_ij h_j W + b), where a_ij is the
// softmax over j of LeakyReLU(s . h_i W + t . h_j W): Velickovic et al., ICLR
// 2018, eq. 1-4. Each of the `heads` heads of a layer has a W, an s and a t of
// its own. Their outputs are joined side by side (eq. 5); the last layer takes
// their mean (eq. 6). f is ELU; the last layer has no f.
class GatEncoder : public GraphEncoder {
 public:
  // REQUIRES: with several layers, shape.hidden is a multiple of `heads`.
  GatEncoder(const EncoderShape& shape, int heads);

  MessageGraphOptions graph_options() const override {
    return {.relations = false, .self_arcs = true};
  }
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

// h_i' = f(sum over relations and directions r, j in N_r(i) of h_j W_r / c_ir +
// h_i W_0 + b), where c_ir = |N_r(i)| and W_r = sum over b of a_rb V_b:
// Schlichtkrull et al., ESWC 2018, eq. 2 and 3. f is ReLU; the last layer has
// no f.
class RgcnEncoder : public GraphEncoder {
 public:
  RgcnEncoder(const EncoderShape& shape, size_t relations, int bases);

  MessageGraphOptions graph_options() const override {
    return {.relations = true, .self_arcs = false};
  }
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

#endif  // SLICE_TRAINER_METHODS_MESSAGES_GRAPH_CONVOLUTIONS_H_
