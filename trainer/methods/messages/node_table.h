// A learned vector per node. A step may read and change the vectors of some
// nodes only.
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
  // Decoupled: a step takes learning_rate * weight_decay of each number off it.
  double weight_decay = 0;
};

// Adam (Kingma and Ba, ICLR 2015), but the moments of a row change only in
// steps that use the row. Takes twelve bytes per number. Thread-compatible.
class NodeTable {
 public:
  // Normal values with variance 1 / dim from the random generator of LibTorch.
  NodeTable(size_t nodes, int dim);

  const at::Tensor& values() const { return values_; }  // [nodes, dim]
  // The rows of `nodes` as a leaf that requires a gradient. REQUIRES: nodes are
  // distinct.
  at::Tensor Rows(std::span<const NodeId> nodes) const;
  // Takes one step of Adam for the rows of `nodes`. `gradient` is that of the
  // tensor that Rows() returned.
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
