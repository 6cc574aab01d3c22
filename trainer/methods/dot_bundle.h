// A bundle whose score is the dot product of two vectors: how a method with a
// vector per node is served through the same RPCs as slice.
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

// The most numbers of a vector: a network has one more.
inline constexpr int kMostDotDim = 4095;

// What is published. Everything pointed to must outlive the call.
struct DotBundle {
  const ImportedGraph* imported = nullptr;
  const GraphSnapshot* snapshot = nullptr;  // of the same
  NodeEmbeddings embeddings;                // [nodes, dim]
  std::string method;                       // recorded as the preset
  uint64_t seed = 0;
  double offset = 0;  // of the product: the logit is what it is above that
  std::array<Calibration, kQuestions> calibrations;
  std::map<std::string, double> metrics;  // of the manifest
};

// The network of the bundle has no layer: its tokens are the vectors with one
// number more, its head is the paper's dot product. Replaces a bundle that is
// there. INVALID_ARGUMENT when the vectors are longer than a network takes.
absl::Status PublishDotBundle(const DotBundle& bundle,
                              const std::filesystem::path& directory);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_DOT_BUNDLE_H_
