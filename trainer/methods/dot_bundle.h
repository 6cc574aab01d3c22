// Publishes a bundle whose score is the dot product of two vectors. With such a
// bundle the server serves a method that learns one vector per node; its RPCs
// stay the same.
#ifndef SLICE_TRAINER_METHODS_DOT_BUNDLE_H_
#define SLICE_TRAINER_METHODS_DOT_BUNDLE_H_

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "context/node_embeddings.h"
#include "graphstore/edge_list_importer.h"
#include "graphstore/graph_snapshot.h"
#include "model/prediction.h"

namespace slice {

// The most numbers of a vector. The network adds one number to each vector.
inline constexpr int kMostDotDim = 4095;

// What to publish. Everything that the pointers refer to must outlive the call.
struct DotBundle {
  const ImportedGraph* imported = nullptr;
  const GraphSnapshot* snapshot = nullptr;  // the train graph of `imported`
  NodeEmbeddings embeddings;                // [nodes, dim]
  std::string method;  // the preset that the manifest names
  uint64_t seed = 0;
  double offset = 0;  // logit = dot product - offset
  std::array<Calibration, kQuestions> calibrations;
  std::map<std::string, double> metrics;  // for the manifest
};

// Publishes the bundle to `directory`, in place of a bundle that is already
// there. The network of the bundle has no layer. Its tokens are the vectors
// with one more number, which carries the offset. Its head is the dot product
// of the paper. INVALID_ARGUMENT when the vectors are longer than kMostDotDim.
// Returns the errors of PublishBundle() (model/model_bundle.h) and of writing.
absl::Status PublishDotBundle(const DotBundle& bundle,
                              const std::filesystem::path& directory);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_DOT_BUNDLE_H_
