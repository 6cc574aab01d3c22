// The layers of CompGCN, in which relations have vectors just as nodes do.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_COMPGCN_ENCODER_H_
#define SLICE_TRAINER_METHODS_MESSAGES_COMPGCN_ENCODER_H_

#include <string>
#include <vector>

#include "trainer/methods/messages/graph_encoder.h"

namespace slice {

// How the vector h of a neighbour and the vector z of a relation are composed:
// as the difference h - z, as the product of both number by number, or as the
// circular correlation, whose number k is the sum over i of h[i] z[i + k]
// (Nickel et al., AAAI 2016).
enum class CompGcnComposition { kSub, kMult, kCorr };

// A layer turns the vectors h_i of the nodes i and z_r of the labels r of arcs
// into h_i' and z_r', where phi is the composition and d_i the degree of i. The
// first sum runs over the directions w, along links and against them; the
// second sum runs over the arcs of direction w from any node j into i, with the
// label r:
//   h_i' = tanh(1/3 (sum_w sum_(j, r) phi(h_j, z_r) W_w / sqrt(d_i d_j)
//                    + phi(h_i, z_self) W_self) + b)
//   z_r' = z_r W_rel
// This is Vashishth et al., ICLR 2020, eq. 2-4, with the weights of the
// authors' program. Each direction of a relation has its own label.
class CompGcnEncoder : public GraphEncoder {
 public:
  CompGcnEncoder(const EncoderShape& shape, size_t relations,
                 CompGcnComposition composition);

  at::Tensor RunLayer(int layer, const MessageBlock& block,
                      const at::Tensor& states, bool training) const override;
  at::Tensor LabelVectors(int layer) const override;

 private:
  // The indices of the parameters of a layer: W_w of both directions, one below
  // the other; W_self; W_rel; b.
  struct Layer {
    size_t of_directions, self, of_labels, bias;
  };

  // The vectors of the labels before a layer, [labels + 1, InputOf(layer)]. The
  // last one is z_self.
  at::Tensor LabelsBefore(int layer) const;
  // The sums over arcs before W_w, [destinations, directions * InputOf(layer)].
  at::Tensor Aggregate(const MessageBlock& block, const at::Tensor& states,
                       const at::Tensor& labels) const;
  at::Tensor Compose(const at::Tensor& states, const at::Tensor& label) const;

  const CompGcnComposition composition_;
  size_t labels_ = 0;  // the index of the parameter z
  std::vector<Layer> layers_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_COMPGCN_ENCODER_H_
