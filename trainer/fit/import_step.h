// The first part of a training run: reads the files. It takes seconds, so it
// leaves no files and is done anew in each run.
#ifndef SLICE_TRAINER_FIT_IMPORT_STEP_H_
#define SLICE_TRAINER_FIT_IMPORT_STEP_H_

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "context/context_generator.h"
#include "graphstore/edge_list_importer.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/labelled_link.h"
#include "graphstore/link_folds.h"
#include "graphstore/node_attributes.h"
#include "model/network_options.h"
#include "trainer/fit/fit_options.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/learning/negative_sampler.h"

namespace slice {

class WarmStart;

// What every later step reads of the files. Constant once made.
struct ImportedTraining {
  explicit ImportedTraining(LinkFolds folds) : folds(std::move(folds)) {}

  ImportedGraph imported;
  std::string graph_digest;
  std::shared_ptr<const GraphSnapshot> snapshot;  // all train links
  // What embeddings and pre-training see: the train links without the held fold
  // or, in a leaky run, all train links and the positives of valid and test.
  std::shared_ptr<const GraphSnapshot> embedding_graph;
  std::vector<Link> shown;  // the links of --show
  LinkFolds folds;          // of the train links
  uint64_t fold_seed = 0;
  std::shared_ptr<const WarmStart> warm;  // of --warm-start; may be null
  // The non-links that were drawn because the valid file has none.
  size_t drawn_valid_negatives = 0;
  std::unique_ptr<NegativeSampler> sampler;
  // The unlinked share of each relation, by EstimateUnlinkedShares().
  std::vector<double> unlinked_shares;
  AttributeTable attributes;
  ContextOptions context;  // with the metapaths that `pattern` follows
  // The network's options with the counts that the graph sets. The dimension of
  // the embeddings is not known yet; LearningInputs::Network() adds it.
  NetworkOptions network;
  // What every step depends on: the files, the seed and the folds.
  StepParts parts;

  const GraphSnapshot& graph() const { return *snapshot; }
  std::span<const LabelledLink> valid() const { return imported.held_out[0]; }
  std::span<const LabelledLink> test() const { return imported.held_out[1]; }
};

// Reads the files of `options`, plants the leak that they may ask for, and
// builds the snapshots and the negative sampler. INVALID_ARGUMENT when a file
// or an option is wrong; FAILED_PRECONDITION when held-out links are in the
// training file or when the strategy `pattern` finds no metapath.
absl::StatusOr<ImportedTraining> ImportTraining(const FitOptions& options);

// The training graph without the links of the held fold.
GraphData WithoutHeldFold(const ImportedTraining& training);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_IMPORT_STEP_H_
