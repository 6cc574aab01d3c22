// Makes batches for GATNE-T (trainer/methods/walks/gatne/gatne_skip_gram.h):
// windows of walks, each within a relation, with noise nodes.
#ifndef SLICE_TRAINER_METHODS_WALKS_GATNE_GATNE_BATCHES_H_
#define SLICE_TRAINER_METHODS_WALKS_GATNE_GATNE_BATCHES_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/random.h"
#include "graphstore/graph_snapshot.h"
#include "trainer/embedding/grouped_noise.h"
#include "trainer/methods/walks/gatne/layered_graph.h"
#include "trainer/methods/walks/walk_windows.h"

namespace slice {

struct GatneBatchOptions {
  size_t walk_length = 10;
  WindowSize window = {.reach = 2, .negatives = 5};
  // Noise is drawn in proportion to this power of the number of neighbours,
  // over all layers.
  double noise_power = 0.75;
  // Whether a noise node has the type of the context node that it is drawn for
  // (Cen et al., KDD 2019, section 4.3).
  bool typed_noise = false;
  uint64_t seed = 0;
};

// Thread-compatible. The graph must outlive it.
class GatneBatches {
 public:
  GatneBatches(const GraphSnapshot& snapshot, const LayeredGraph& graph,
               const GatneBatchOptions& options);

  // The windows of one walk from each start, those of one relation together.
  // Each place of a walk is the centre of one. A noise node that the window has
  // is left out. The windows of a walk depend on its start and `round` alone.
  WalkWindows Draw(std::span<const LayerNode> starts, uint64_t round) const;

 private:
  const LayeredGraph& graph_;
  const GatneBatchOptions options_;
  const GroupedNoise noise_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_GATNE_GATNE_BATCHES_H_
