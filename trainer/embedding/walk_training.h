// Skip-gram over walks that are made as they are trained on, never kept: what
// node2vec and metapath2vec share.
#ifndef SLICE_TRAINER_EMBEDDING_WALK_TRAINING_H_
#define SLICE_TRAINER_EMBEDDING_WALK_TRAINING_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/types.h"

namespace slice {

// Where walks come from. Immutable; thread-safe.
class WalkSource {
 public:
  virtual ~WalkSource() = default;

  // Nodes of a walk at most, its start included.
  virtual int length() const = 0;

  // Fills walks, [starts, length] row-major; behind the last node of a shorter
  // walk stands kNoNode. A walk depends on its start and `round` alone.
  virtual void Walk(std::span<const NodeId> starts, uint64_t round,
                    std::span<NodeId> walks) const = 0;
};

struct WalkTrainingOptions {
  int dim = 128;
  uint64_t rounds = 10;  // one walk from every start each
  int window = 5;        // each centre draws its own width in [1, window]
  int negatives = 5;     // noise nodes per centre, shared by its window
  double subsample = 0;  // as Node2vecOptions has it
  double learning_rate = 0.025;  // decays linearly to a ten-thousandth of it
  int threads = 1;
  uint64_t seed = 0;
  // Rounds that would not end within it are left out.
  absl::Duration budget = absl::InfiniteDuration();
  std::string title = "node2vec";  // of the progress lines
};

// What a run did.
struct WalkTrainingSummary {
  uint64_t walks = 0;
  uint64_t pairs = 0;          // (centre, neighbour in the window)
  std::vector<double> losses;  // mean loss per pair, round by round
  bool cut_short = false;      // by the budget
};

// Both [nodes, dim] float32, row-major.
struct WalkVectors {
  std::vector<float> inputs;   // the embeddings
  std::vector<float> outputs;  // what the inputs of nodes near by point at
};

// Nodes that no walk visits have what they began with. `noise_groups`, when
// given, holds a group per node: noise for a centre is then drawn from its
// group alone. Reproducible with threads = 1; with more the walks are the same,
// but the updates race (Hogwild). REQUIRES: `starts` is not empty.
WalkVectors TrainOnWalks(const WalkSource& source, std::vector<NodeId> starts,
                         size_t node_count, const WalkTrainingOptions& options,
                         std::span<const uint32_t> noise_groups,
                         WalkTrainingSummary& summary);

// About how much memory TrainOnWalks takes, in MiB: two tables, their copies,
// counts, and a copy of the graph to walk on.
double WalkTrainingMib(const GraphSnapshot& snapshot, int dim);

}  // namespace slice

#endif  // SLICE_TRAINER_EMBEDDING_WALK_TRAINING_H_
