// The layers of CompGCN, in which relations have vectors just as nodes do.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_COMPGCN_ENCODER_H_
#define SLICE_TRAINER_METHODS_MESSAGES_COMPGCN_ENCODER_H_

#include <string>
#include <vector>

#include "trainer/methods/messages/graph_encoder.h"

namespace slice {

// How a neighbour's vector h and a relation's vector z are composed: h - z, h z
// number by number, or the circular correlation sum over i of h[i] z[i + k]
// (Nickel et al., AAAI 2016).
enum class CompGcnComposition { kSub, kMult, kCorr };

// h_i' = tanh(1/3 (sum over directions w and arcs (j, r) along w into i of
// phi(h_j, z_r) W_w / sqrt(d_i d_j) + phi(h_i, z_self) W_self) + b), z_r' = z_r
// W_rel: Vashishth et al., ICLR 2020, eq. 2-4, with the weights of the authors'
// program. phi is the composition, d a degree. Each direction of a relation has
// a z of its own.
class CompGcnEncoder : public GraphEncoder {
 public:
  CompGcnEncoder(const EncoderShape& shape, size_t relations,
                 CompGcnComposition composition);

  at::Tensor RunLayer(int layer, const MessageBlock& block,
                      const at::Tensor& states, bool training) const override;
  at::Tensor LabelVectors(int layer) const override;

 private:
  // The numbers of the parameters of a layer: W_w of both directions, one below
  // the other; W_self; W_rel; b.
  struct Layer {
    size_t of_directions, self, of_labels, bias;
  };

  // The vectors of labels before a layer, [labels + 1, InputOf(layer)]. The
  // last is that of the self arc.
  at::Tensor LabelsBefore(int layer) const;
  // The sums over arcs before W_w, [destinations, directions * InputOf(layer)].
  at::Tensor Aggregate(const MessageBlock& block, const at::Tensor& states,
                       const at::Tensor& labels) const;
  at::Tensor Compose(const at::Tensor& states, const at::Tensor& label) const;

  const CompGcnComposition composition_;
  size_t labels_ = 0;  // the number of the parameter z
  std::vector<Layer> layers_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_COMPGCN_ENCODER_H_
