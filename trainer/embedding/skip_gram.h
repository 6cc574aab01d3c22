// Skip-gram with negative sampling (Mikolov et al., NeurIPS 2013) over walks.
#ifndef SLICE_TRAINER_EMBEDDING_SKIP_GRAM_H_
#define SLICE_TRAINER_EMBEDDING_SKIP_GRAM_H_

#include <cstdint>
#include <span>
#include <vector>

#include "common/random.h"
#include "graphstore/types.h"
#include "trainer/embedding/grouped_noise.h"
#include "trainer/embedding/skip_gram_kernel.h"

namespace slice {

struct SkipGramOptions {
  int dim = 128;
  int window = 5;     // each centre draws its own width in [1, window]
  int negatives = 5;  // noise nodes per centre, shared by its window
  uint64_t seed = 0;
};

// The two tables being trained: input vectors (the embeddings) and output
// vectors. Any number of SkipGramWorkers may train at once; their updates race
// on purpose (see skip_gram_kernel.h).
class SkipGram {
 public:
  // `counts` holds how often walks visit each node; noise is drawn in
  // proportion to counts^0.75. When `groups` holds the number of a group for
  // each node, the noise for a centre is drawn among the nodes of the same
  // group as the centre (the heterogeneous skip-gram of metapath2vec++: Dong et
  // al., KDD 2017, 3.3). REQUIRES: some count is not zero.
  SkipGram(std::span<const uint64_t> counts, const SkipGramOptions& options,
           std::span<const uint32_t> groups = {});

  // The input and the output vectors, [nodes, dim] row-major.
  std::vector<float> Embeddings() const { return Copy(inputs_); }
  std::vector<float> OutputVectors() const { return Copy(outputs_); }

  // Whether all numbers of both tables are finite.
  bool IsFinite() const;

  // A noise node for a centre. REQUIRES: some node of the centre's group has a
  // count above zero.
  NodeId DrawNoise(NodeId centre, Random& random) const {
    return noise_.Draw(centre, random);
  }

  const SkipGramOptions& options() const { return options_; }

 private:
  friend class SkipGramWorker;

  // A part of a row. Its alignment makes rows start on cache lines.
  struct alignas(64) Block {
    float values[kSkipGramLanes];
  };
  static_assert(sizeof(Block) == kSkipGramLanes * sizeof(float));

  std::vector<float> Copy(const std::vector<Block>& table) const;

  float* InputRow(NodeId node) { return inputs_[node * blocks_].values; }
  float* OutputRow(NodeId node) { return outputs_[node * blocks_].values; }

  const SkipGramOptions options_;
  const size_t nodes_;
  const size_t blocks_;  // of a row
  const GroupedNoise noise_;
  std::vector<Block> inputs_, outputs_;  // [nodes, blocks_]
};

// One thread's part of the training. Thread-compatible.
class SkipGramWorker {
 public:
  explicit SkipGramWorker(SkipGram* tables);

  // Trains on every centre of one walk. `random` draws windows and noise.
  void Train(std::span<const NodeId> walk, float learning_rate, Random& random);

  // The pairs trained so far.
  uint64_t pairs() const { return pairs_; }

  // The mean loss per pair over the pairs measured since the last call, or NaN
  // when none was measured. The loss of a pair includes its products with the
  // noise. Every sixteenth centre is measured.
  double TakeMeanLoss();

 private:
  void DrawNoise(NodeId centre, Random& random, float** rows);

  SkipGram* const tables_;
  const SkipGramKernel kernel_;
  std::vector<SkipGram::Block> scratch_;
  std::vector<float> weights_;
  std::vector<float*> inputs_;
  std::vector<float*> outputs_, next_outputs_;  // [1 + negatives]
  uint64_t pairs_ = 0;
  uint64_t centres_ = 0;
  double loss_sum_ = 0;
  uint64_t loss_pairs_ = 0;
};

}  // namespace slice

#endif  // SLICE_TRAINER_EMBEDDING_SKIP_GRAM_H_
