// Layers that compute new vectors of nodes from messages of their neighbours.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_GRAPH_ENCODER_H_
#define SLICE_TRAINER_METHODS_MESSAGES_GRAPH_ENCODER_H_

#include <ATen/core/Tensor.h>

#include <vector>

#include "trainer/methods/messages/encoder_shape.h"
#include "trainer/methods/messages/message_block.h"
#include "trainer/methods/messages/message_graph.h"

namespace slice {

// A stack of layers and their parameters. A subclass adds the parameters of a
// layer in the order in which its struct Layer lists them; tests index
// parameters by this order. Thread-compatible; RunLayer() may be called from
// several threads while no parameter changes.
class GraphEncoder {
 public:
  GraphEncoder(const EncoderShape& shape,
               const MessageGraphOptions& graph_options)
      : shape_(shape), graph_options_(graph_options) {}
  virtual ~GraphEncoder() = default;

  const EncoderShape& shape() const { return shape_; }

  // Which arcs the messages of this encoder need.
  const MessageGraphOptions& graph_options() const { return graph_options_; }
  // Runs a layer: turns `states` [sources, shape().InputOf(layer)] into new
  // states [destinations, shape().OutputOf(layer)]. The block must live until
  // after backward(), which reads it.
  virtual at::Tensor RunLayer(int layer, const MessageBlock& block,
                              const at::Tensor& states,
                              bool training) const = 0;

  // The vectors [2 relations, shape().OutputOf(layer)] that `layer` makes of
  // the labels of arcs. An undefined tensor when the encoder makes none.
  virtual at::Tensor LabelVectors(int /*layer*/) const { return {}; }

  // The tensors to optimise. Each requires a gradient.
  const std::vector<at::Tensor>& parameters() const { return parameters_; }
  // Replaces the values of all parameters. REQUIRES: the same shapes as before.
  void SetParameters(const std::vector<at::Tensor>& values);
  // Turns all parameters into double, to check gradients.
  void ToDouble();

 protected:
  // Adds a parameter [rows, columns], uniform in [-bound, bound) from the
  // random generator of LibTorch, and returns its index.
  size_t AddUniform(int rows, int columns, double bound);
  // Adds a parameter whose uniform values have the variance 2 / (rows +
  // columns) (Glorot and Bengio, AISTATS 2010).
  size_t AddWeights(int rows, int columns);
  // Adds a parameter [rows, columns] whose numbers all are `value`.
  size_t AddConstant(int rows, int columns, double value);
  // Adds a parameter [1, columns] of zeros.
  size_t AddBias(int columns) { return AddConstant(1, columns, 0); }
  const at::Tensor& parameter(size_t number) const {
    return parameters_[number];
  }
  // Dropout in training; `states` themselves otherwise.
  at::Tensor Drop(const at::Tensor& states, bool training) const;

 private:
  const EncoderShape shape_;
  const MessageGraphOptions graph_options_;
  std::vector<at::Tensor> parameters_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_GRAPH_ENCODER_H_
