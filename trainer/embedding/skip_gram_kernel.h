// The inner loop of skip-gram with negative sampling: trains one centre with
// its window, as two small matrix products.
#ifndef SLICE_TRAINER_EMBEDDING_SKIP_GRAM_KERNEL_H_
#define SLICE_TRAINER_EMBEDDING_SKIP_GRAM_KERNEL_H_

#include <vector>

namespace slice {

// Rows are padded with zeros to a multiple of this many floats, and start at an
// address that is a multiple of 64 bytes.
inline constexpr int kSkipGramLanes = 16;

// One step. `outputs[0]` is the row of the centre, with label 1; the other
// outputs are rows of noise nodes, with label 0. Every input row is trained
// against every output row: all nodes of the window share the noise (Ji et al.,
// arXiv:1604.04661).
struct SkipGramStep {
  float* const* inputs;   // [input_count] rows of the window's nodes
  int input_count;        // at least 1
  float* const* outputs;  // [output_count]
  int output_count;       // at least 1
  int stride;             // floats of a row
  float learning_rate;
  float* scratch;  // [(input_count + output_count) * stride], 64-byte aligned
  float* weights;  // [input_count * output_count]; receives the factors of the
                   // gradients
};

// Adds the gradient step to all rows. The gradients are those of the values
// before the step; a row that is given twice receives both updates. Returns the
// loss (the sum of -log sigmoid over the input_count * output_count products)
// when `measure` is set, and 0 otherwise.
//
// Races with steps of other threads on the same rows are deliberate (Hogwild,
// Niu et al., NeurIPS 2011) and hidden from ThreadSanitizer.
using SkipGramKernel = double (*)(const SkipGramStep& step, bool measure);

// The kernels that this processor can run, the fastest first. The last one runs
// on any processor.
std::vector<SkipGramKernel> SupportedSkipGramKernels();

}  // namespace slice

#endif  // SLICE_TRAINER_EMBEDDING_SKIP_GRAM_KERNEL_H_
