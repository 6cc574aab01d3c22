// The sizes in which batches travel to a device: a captured graph of calls has
// fixed sizes, so a batch is cut into a few of them and each is filled up with
// empty rows.
#ifndef SLICE_MODEL_CUDA_ENCODER_BUCKETS_H_
#define SLICE_MODEL_CUDA_ENCODER_BUCKETS_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "model/cuda/encoder_arrays.h"

namespace slice {

// At most `rows` contexts of at most `width` tokens.
struct EncoderBucket {
  int rows = 0;
  int width = 0;

  bool operator==(const EncoderBucket&) const = default;
};

inline constexpr std::array<int, 4> kBucketRows = {1, 4, 16, 64};
// The longest context: two ends beside 64 paths, and some room.
inline constexpr std::array<int, 4> kBucketWidths = {8, 16, 32, 72};

// Rows that a block of the kernel works on together.
int GroupRows(const EncoderBucket& bucket);

// Floats of attention that a call of `bucket` can return.
int64_t AttentionFloats(const EncoderArrays& arrays,
                        const EncoderBucket& bucket);
// The buckets whose attention fits what a slot holds; every width has one.
std::vector<EncoderBucket> EncoderBuckets(const EncoderArrays& arrays,
                                          bool with_attention);

// Rows of structural scores in one call, at most.
int StructuralRows(const EncoderArrays& arrays);

// One call: some rows of a batch.
struct EncoderChunk {
  EncoderBucket bucket;
  std::vector<int64_t> rows;
};

// The calls of a batch of rows of these lengths: rows of like length together,
// as many as a call can take. INVALID_ARGUMENT for a row that is too long, or
// lacks the tokens of its two ends.
absl::StatusOr<std::vector<EncoderChunk>> PlanChunks(
    std::span<const int64_t> row_tokens, const EncoderArrays& arrays,
    bool with_attention);

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_BUCKETS_H_
