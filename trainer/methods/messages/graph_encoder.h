// Layers that turn a vector per node into another by messages of neighbours.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_GRAPH_ENCODER_H_
#define SLICE_TRAINER_METHODS_MESSAGES_GRAPH_ENCODER_H_

#include <ATen/core/Tensor.h>

#include <vector>

#include "trainer/methods/messages/encoder_shape.h"
#include "trainer/methods/messages/message_block.h"

namespace slice {

// Thread-compatible; RunLayer() may be called from several threads while no
// parameter changes.
class GraphEncoder {
 public:
  explicit GraphEncoder(const EncoderShape& shape) : shape_(shape) {}
  virtual ~GraphEncoder() = default;

  const EncoderShape& shape() const { return shape_; }

  // What messages it wants.
  virtual MessageGraphOptions graph_options() const = 0;
  // `states` [sources, shape().InputOf(layer)] to [destinations,
  // shape().OutputOf(layer)]. A gradient reads the block.
  virtual at::Tensor RunLayer(int layer, const MessageBlock& block,
                              const at::Tensor& states,
                              bool training) const = 0;

  // [2 relations, shape().OutputOf(layer)]: vectors that `layer` makes of the
  // labels of arcs; undefined of an encoder that makes none.
  virtual at::Tensor LabelVectors(int /*layer*/) const { return {}; }

  // To be optimised; each requires a gradient.
  const std::vector<at::Tensor>& parameters() const { return parameters_; }
  // Replaces the values of all parameters. REQUIRES: shapes as before.
  void SetParameters(const std::vector<at::Tensor>& values);
  // For checks of gradients in double precision.
  void ToDouble();

 protected:
  // A new parameter [rows, columns], uniform in [-bound, bound) from LibTorch's
  // generator; returns its number.
  size_t AddUniform(int rows, int columns, double bound);
  // The same with the variance 2 / (rows + columns) (Glorot and Bengio, AISTATS
  // 2010).
  size_t AddWeights(int rows, int columns);
  // [1, columns], zero.
  size_t AddBias(int columns);
  const at::Tensor& parameter(size_t number) const {
    return parameters_[number];
  }
  at::Tensor Drop(const at::Tensor& states, bool training) const;

 private:
  const EncoderShape shape_;
  std::vector<at::Tensor> parameters_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_GRAPH_ENCODER_H_
