// The inputs of one call in one piece of memory, so that one copy takes them to
// a device. The memory holds the arrays of EncoderInputs one after the other.
// Their sizes are those of the call's bucket (model/cuda/encoder_buckets.h).
// All arrays consist of 4-byte numbers (words).
#ifndef SLICE_MODEL_CUDA_PACKED_INPUTS_H_
#define SLICE_MODEL_CUDA_PACKED_INPUTS_H_

#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "model/context_batch.h"
#include "model/cuda/encoder_arrays.h"
#include "model/cuda/encoder_buckets.h"

namespace slice {

// How many words the inputs of a call have.
int64_t InputWords(const EncoderArrays& arrays, const EncoderBucket& bucket);
int64_t StructuralInputWords(const EncoderArrays& arrays, int rows);

// The arrays of a call whose inputs are at `memory`, which may belong to the
// host or to the device. Weights and embeddings stay null.
EncoderInputs InputsAt(const EncoderArrays& arrays, const EncoderBucket& bucket,
                       const uint32_t* memory);
StructuralInputs StructuralInputsAt(const EncoderArrays& arrays, int rows,
                                    const uint32_t* memory);

// Writes the rows of `chunk` from `batch` to `memory` [InputWords], and then
// empty rows up to the size of the chunk's bucket. INVALID_ARGUMENT when the
// batch has another number of features than the network, or an id that the
// network or its `node_count` embeddings lack; with such an id a device would
// read outside of its arrays.
absl::Status PackInputs(const ContextBatch& batch, const EncoderChunk& chunk,
                        const EncoderArrays& arrays, int64_t node_count,
                        uint32_t* memory);

// Writes the pair features [rows, arrays.pair_features] of links of one
// relation to `memory` [StructuralInputWords]. INVALID_ARGUMENT when the
// network lacks the relation.
absl::Status PackStructural(int64_t relation,
                            std::span<const float> pair_features, int rows,
                            const EncoderArrays& arrays, uint32_t* memory);

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_PACKED_INPUTS_H_
