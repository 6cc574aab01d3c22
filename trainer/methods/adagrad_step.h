// The optimiser of embeddings whose steps change a few rows each.
#ifndef SLICE_TRAINER_METHODS_ADAGRAD_STEP_H_
#define SLICE_TRAINER_METHODS_ADAGRAD_STEP_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slice {

// A step of Adagrad (Duchi, Hazan and Singer, JMLR 2011) on one row:
//   squares += gradient^2,  values -= rate * gradient / (sqrt(squares) + 1e-10)
struct AdagradStep {
  float rate = 0;
  const float* gradient = nullptr;  // [width]
  size_t width = 0;
  float* values = nullptr;   // [width]
  float* squares = nullptr;  // [width]
};
void TakeAdagradStep(const AdagradStep& step);

// Rows of a table, and the parts of their gradient.
struct RowGradients {
  std::span<const uint32_t> rows;
  // Each part is [rows, width]; their sum is the gradient.
  std::vector<const float*> parts;
  size_t width = 0;
  size_t stride = 0;  // numbers of a row of the table; `width` or more
  float rate = 0;
  int threads = 1;
};
// Takes such a step on each of the rows. `values` and `squares` are tables of
// rows of `stride` numbers.
void UpdateRows(const RowGradients& gradients, std::vector<float>& values,
                std::vector<float>& squares);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_ADAGRAD_STEP_H_
