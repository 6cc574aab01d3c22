// The inputs of one call as one piece of memory, so that one copy takes them to
// a device: the arrays of EncoderInputs one after the other, each of the size
// of its bucket, all of 4-byte numbers.
#ifndef SLICE_MODEL_CUDA_PACKED_INPUTS_H_
#define SLICE_MODEL_CUDA_PACKED_INPUTS_H_

#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "model/context_batch.h"
#include "model/cuda/encoder_arrays.h"
#include "model/cuda/encoder_buckets.h"

namespace slice {

// 4-byte numbers that a call of `bucket` takes, and one of structural scores.
int64_t InputWords(const EncoderArrays& arrays, const EncoderBucket& bucket);
int64_t StructuralInputWords(const EncoderArrays& arrays, int rows);

// The arrays of a call at `memory`, on either side; weights and embeddings are
// left to the device.
EncoderInputs InputsAt(const EncoderArrays& arrays, const EncoderBucket& bucket,
                       const uint32_t* memory);
StructuralInputs StructuralInputsAt(const EncoderArrays& arrays, int rows,
                                    const uint32_t* memory);

// Writes `rows` of `batch`, which fit `bucket`, and empty rows behind them to
// `memory` [InputWords]. INVALID_ARGUMENT when a number of the batch is not one
// the network or its `node_count` embeddings know: a device would read outside
// of them.
absl::Status PackInputs(const ContextBatch& batch,
                        std::span<const int64_t> rows,
                        const EncoderArrays& arrays, int64_t node_count,
                        const EncoderBucket& bucket, uint32_t* memory);

// Writes pair features [rows, pair_features] of one relation to `memory`.
// INVALID_ARGUMENT as above.
absl::Status PackStructural(int64_t relation,
                            std::span<const float> pair_features, int rows,
                            const EncoderArrays& arrays, uint32_t* memory);

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_PACKED_INPUTS_H_
