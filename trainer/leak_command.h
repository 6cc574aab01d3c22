// `slice-trainer leak`: what node2vec scores when it may see the held-out
// links, as in the published protocol, beside what it scores without them. The
// first number reproduces the node2vec column of the SLiCE paper (table 3); the
// second is what it means. For comparison only; nothing is trained on it.
#ifndef SLICE_TRAINER_LEAK_COMMAND_H_
#define SLICE_TRAINER_LEAK_COMMAND_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graphstore/edge_list_import_options.h"
#include "graphstore/edge_list_importer.h"
#include "trainer/embedding/node2vec.h"
#include "trainer/metrics.h"

namespace slice {

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

// Trains both and measures them. Errors: those of ImportEdgeList and
// TrainNode2vec.
absl::StatusOr<LeakFigures> MeasureLeak(const LeakOptions& options);

// Prints the figures, as text or JSON.
absl::Status RunLeak(const LeakOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_LEAK_COMMAND_H_
