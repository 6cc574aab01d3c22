#include "trainer/learning/embedding_input.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

#include <utility>

namespace slice {

EmbeddingInput::EmbeddingInput(at::Tensor table, int64_t trained_columns)
    : table_(std::move(table)) {
  if (trained_columns == 0) return;
  parameter_ =
      table_.narrow(1, 0, trained_columns).clone().set_requires_grad(true);
}

at::Tensor EmbeddingInput::Table() const {
  if (!is_trained()) return table_;
  const int64_t trained = parameter_.size(1), rest = table_.size(1) - trained;
  if (rest == 0) return parameter_;
  return at::cat({parameter_, table_.narrow(1, trained, rest)}, 1);
}

void EmbeddingInput::StoreTrained() {
  if (!is_trained()) return;
  const at::NoGradGuard no_grad;
  table_.narrow(1, 0, parameter_.size(1)).copy_(parameter_);
}

}  // namespace slice
