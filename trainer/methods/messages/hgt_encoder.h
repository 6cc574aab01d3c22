// The layers of HGT, the heterogeneous graph transformer.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_HGT_ENCODER_H_
#define SLICE_TRAINER_METHODS_MESSAGES_HGT_ENCODER_H_

#include <optional>
#include <vector>

#include "trainer/methods/messages/graph_encoder.h"
#include "trainer/methods/messages/typed_rows.h"

namespace slice {

// A layer turns the vectors h_i of the nodes i into h_i'. Here t(i) is the type
// of node i, and the sum runs over the arcs from any node j into i with the
// label r, and over the arc from i to itself, which has a label of its own:
//   a_ijr = softmax over (j, r) of
//           (h_j K_t(j) A_r) . (h_i Q_t(i)) p_r / sqrt(w)
//   m_i   = sum over (j, r) of a_ijr h_j V_t(j) M_r
//   h_i'  = s f(m_i) O_t(i) + (1 - s) h_i, where s = 1 / (1 + exp(-g_t(i)))
// This is Hu et al., WWW 2020, eq. 3-5, without the encoding of time and
// without biases; p, which the paper has for each pair of types and relation,
// is that of the label. Each of
// the heads has its own K, A, Q, V, M and p and makes w numbers of m_i; the
// heads stand side by side. f is GELU. The learned share s is that of the
// authors' program; the paper's residual adds both terms in full. A layer whose
// input and output differ in width has no residual: h_i' = f(m_i) O_t(i).
class HgtEncoder : public GraphEncoder {
 public:
  // REQUIRES: the outputs of all layers are multiples of `heads`.
  HgtEncoder(const EncoderShape& shape, size_t node_types, size_t relations,
             int heads);

  at::Tensor RunLayer(int layer, const MessageBlock& block,
                      const at::Tensor& states, bool training) const override;

 private:
  // The indices of the parameters of a layer: K, Q, V and O of all types, A, M
  // and p of all labels; g of all types where the layer has a residual.
  struct Layer {
    size_t keys, queries, values, outputs, attention, messages, prior;
    std::optional<size_t> gate;
  };

  // [pairs, heads * w]: the vectors [sources, heads * w] of the sources of the
  // pairs, times the matrices [labels * heads * w, w] of their labels, head by
  // head.
  at::Tensor OfPairs(const MessageBlock& block, const at::Tensor& of_sources,
                     const at::Tensor& matrices) const;
  // [arcs, heads]: the shares a_ijr.
  at::Tensor Attend(const Layer& own, const MessageBlock& block,
                    const at::Tensor& states, const TypedRows& rows,
                    bool training) const;

  const size_t node_types_;
  const int heads_;
  std::vector<Layer> layers_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_HGT_ENCODER_H_
