// `slice-trainer leak`: what node2vec scores when it may see the held-out
// links, as in the published protocol, beside what it scores without them. The
// first number reproduces the node2vec column of the SLiCE paper (table 3); the
// second is what it means. For comparison only; nothing is trained on it.
#ifndef SLICE_TRAINER_LEAK_COMMAND_H_
#define SLICE_TRAINER_LEAK_COMMAND_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graphstore/edge_list_importer.h"
#include "graphstore/graph_snapshot.h"
#include "trainer/embedding/node2vec.h"
#include "trainer/metrics.h"

namespace slice {

// The settings of the paper's node2vec that reproduce its figures: 10 walks of
// 80 nodes per node, dimension 128 (section 4.1.3), with the subsampling that
// its program applies unasked, and a window of 5 (docs/paper.md).
Node2vecOptions PaperNode2vec();

struct LeakOptions {
  EdgeListImportOptions files;  // held_out: valid, then test
  Node2vecOptions node2vec = PaperNode2vec();
  bool json = false;
};

// The dot product of node2vec's embeddings on the test links, the threshold
// chosen on valid.
struct LeakFigures {
  BinaryMetrics leaky;   // valid and test positives in the walked graph
  BinaryMetrics honest;  // train links alone
};

// The training graph with the positives of every held-out file as links of it.
// LEAKY by design: for the comparison above and the preset paper-leaky alone.
absl::StatusOr<std::shared_ptr<const GraphSnapshot>> BuildLeakySnapshot(
    const ImportedGraph& imported);

// Trains both and measures them. Errors: those of ImportEdgeList and
// TrainNode2vec.
absl::StatusOr<LeakFigures> MeasureLeak(const LeakOptions& options);

// Prints the figures, as text or JSON.
absl::Status RunLeak(const LeakOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_LEAK_COMMAND_H_
