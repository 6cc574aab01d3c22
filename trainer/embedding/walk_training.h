// Skip-gram over walks: the part that node2vec and metapath2vec share. The
// training uses walks while they are made, and never keeps them.
#ifndef SLICE_TRAINER_EMBEDDING_WALK_TRAINING_H_
#define SLICE_TRAINER_EMBEDDING_WALK_TRAINING_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/types.h"
#include "trainer/embedding/walk_source.h"

namespace slice {

struct WalkTrainingOptions {
  int dim = 128;
  uint64_t rounds = 10;  // a round is one walk from every start
  int window = 5;        // each centre draws its own width in [1, window]
  int negatives = 5;     // noise nodes per centre, shared by its window
  double subsample = 0;  // see Node2vecOptions::subsample
  double learning_rate = 0.025;  // decays linearly to a ten-thousandth of it
  int threads = 1;
  uint64_t seed = 0;
  // Rounds that would not end within this time are left out.
  absl::Duration budget = absl::InfiniteDuration();
  std::string title = "node2vec";  // of the progress lines
};

// What one call of TrainOnWalks() did.
struct WalkTrainingSummary {
  uint64_t walks = 0;
  uint64_t pairs = 0;          // (centre, other node in its window)
  std::vector<double> losses;  // mean loss per pair, round by round
  bool cut_short = false;      // the budget ended the training early
};

// Both [nodes, dim] float32, row-major.
struct SkipGramVectors {
  std::vector<float> inputs;   // the embeddings
  std::vector<float> outputs;  // trained against the inputs of nearby nodes
};

// Trains both tables on `options.rounds` walks from each of `starts`. Nodes
// that no walk visits keep their initial random vectors. When `noise_groups`
// holds the number of a group for each node, the noise for a centre is drawn
// from the centre's group alone. Reproducible with threads = 1; with more
// threads the walks are the same, but the updates race (Hogwild).
// FAILED_PRECONDITION when the vectors grow beyond all bounds, as at too high a
// learning rate. REQUIRES: `starts` is not empty.
absl::StatusOr<SkipGramVectors> TrainOnWalks(
    const WalkSource& source, std::vector<NodeId> starts, size_t node_count,
    const WalkTrainingOptions& options, std::span<const uint32_t> noise_groups,
    WalkTrainingSummary& summary);

// An estimate of the memory that TrainOnWalks needs, in MiB: two tables, their
// copies, counts, and a copy of the graph to walk on.
double WalkTrainingMib(const GraphSnapshot& snapshot, int dim);

}  // namespace slice

#endif  // SLICE_TRAINER_EMBEDDING_WALK_TRAINING_H_
