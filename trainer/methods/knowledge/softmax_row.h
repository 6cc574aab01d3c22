// The loss of the answers to one question among all its rivals, and its
// gradient by their scores.
#ifndef SLICE_TRAINER_METHODS_KNOWLEDGE_SOFTMAX_ROW_H_
#define SLICE_TRAINER_METHODS_KNOWLEDGE_SOFTMAX_ROW_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace slice {

// Numbers of a row: float32, or bfloat16 as its upper 16 bits.
struct SoftmaxRow {
  float* floats = nullptr;      // [size], or null
  uint16_t* bfloats = nullptr;  // [size], or null
  size_t size = 0;
  size_t rivals = 0;  // the first of the row
  // Rivals that do not count. When there are any, they include those of the
  // answers that are rivals.
  std::span<const uint32_t> known;
  std::span<const uint32_t> answers;  // anywhere in the row
  float scale = 1;
};

// With the scores s of the row, returns the sum over the answers t of
//   log(e^s_t + sum_c e^s_c) - s_t,    c: rivals that are not known, nor t
// and overwrites the row with `scale` times the gradient of that sum. `buffer`
// is reused memory.
double SoftmaxLossOfRow(const SoftmaxRow& row, std::vector<float>& buffer);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_KNOWLEDGE_SOFTMAX_ROW_H_
