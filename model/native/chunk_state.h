// The working memory of the native network.
#ifndef SLICE_MODEL_NATIVE_CHUNK_STATE_H_
#define SLICE_MODEL_NATIVE_CHUNK_STATE_H_

#include <cstddef>
#include <cstdint>

#include "model/context_batch.h"
#include "model/native/aligned_vector.h"

namespace slice {

// A chunk, the rows [begin, end) of a batch, on its way through the network. A
// row is one context. The tokens of all rows are packed one after the other,
// without padding. Each thread has one ChunkState and reuses it for every
// chunk.
struct ChunkState {
  const ContextBatch* batch = nullptr;
  int64_t begin = 0;
  int64_t end = 0;
  size_t tokens = 0;  // of all rows

  AlignedVector<float> x;  // [tokens, width of hidden_dim]
  // Working memory of single steps; no step reads what an earlier chunk left.
  AlignedVector<float> normal, parts, hidden, scores, keys_across;
  // Copies of the source and target tokens of each row, for the scorers. `ends`
  // holds their token embeddings, `readout` the layers that the dot product
  // reads.
  AlignedVector<float> ends, readout;
};

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_CHUNK_STATE_H_
