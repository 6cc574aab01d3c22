// `slice-trainer leak`: the figures of node2vec when it sees the held-out
// links, as in the published protocol, beside its figures without them. The
// figures with the held-out links reproduce the node2vec column of the SLiCE
// paper (table 3); those without them are honest. They are for comparison only:
// no network is trained on these vectors.
#ifndef SLICE_TRAINER_LEAK_COMMAND_H_
#define SLICE_TRAINER_LEAK_COMMAND_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/command/flags.h"
#include "common/command/run_program.h"
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

// Figures on the test links, when a link's score is the dot product of the
// node2vec embeddings of its ends. The threshold is chosen on valid.
struct LeakFigures {
  BinaryMetrics leaky;   // walks see the valid and test positives
  BinaryMetrics honest;  // walks see the train links alone
};

// Trains and measures node2vec on each of the two graphs. Returns the errors of
// ImportEdgeList and TrainNode2vec.
absl::StatusOr<LeakFigures> MeasureLeak(const LeakOptions& options);

// Prints the figures, as text or JSON.
absl::Status RunLeak(const LeakOptions& options);

StatusRun DefineLeak(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_TRAINER_LEAK_COMMAND_H_
