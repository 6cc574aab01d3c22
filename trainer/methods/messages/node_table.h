// A learned vector per node, of which a step may read and change some alone.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_NODE_TABLE_H_
#define SLICE_TRAINER_METHODS_MESSAGES_NODE_TABLE_H_

#include <ATen/core/Tensor.h>

#include <span>

#include "graphstore/types.h"

namespace slice {

struct RowAdamOptions {
  double learning_rate = 0.01;
  double weight_decay = 0;  // decoupled; per unit of the learning rate
};

// Adam (Kingma and Ba, ICLR 2015) whose moments of a row stand still while the
// row takes no part. Twelve bytes per number. Thread-compatible.
class NodeTable {
 public:
  // Normal with variance 1 / dim, from LibTorch's generator.
  NodeTable(size_t nodes, int dim);

  const at::Tensor& values() const { return values_; }  // [nodes, dim]
  // The rows of `nodes`, to be differentiated; a node may be there once.
  at::Tensor Rows(std::span<const NodeId> nodes) const;
  // One step of Adam for these rows, by the gradient of what Rows() gave.
  void Update(std::span<const NodeId> nodes, const at::Tensor& gradient,
              const RowAdamOptions& options);
  void SetValues(const at::Tensor& values) { values_.copy_(values); }

 private:
  bool IsWhole(std::span<const NodeId> nodes) const;

  at::Tensor values_, mean_, square_;
  int64_t steps_ = 0;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_NODE_TABLE_H_
