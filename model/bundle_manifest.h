// The manifest of a bundle: what MANIFEST.json holds.
#ifndef SLICE_MODEL_BUNDLE_MANIFEST_H_
#define SLICE_MODEL_BUNDLE_MANIFEST_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "context/link_encoder.h"
#include "context/own_pair_links.h"
#include "graphstore/graph_data.h"
#include "graphstore/node_attributes.h"
#include "model/network_options.h"
#include "model/prediction.h"

namespace slice {

// The format that is written, and the oldest one that is read.
inline constexpr int kBundleFormatVersion = 3;
inline constexpr int kOldestBundleFormatVersion = 2;
inline constexpr int kModelContractVersion = 2;

// A file of a bundle.
struct BundleMember {
  std::string path;  // relative, with forward slashes
  uint64_t size = 0;
  std::string sha256;
};

// The graph of a server of which a bundle was trained. It has the nodes of the
// bundle under the same ids, and may have changed since.
struct LiveGraphOrigin {
  std::string graph_digest;    // of the base of that graph
  uint64_t graph_version = 0;  // that training read
};

// The folds that the train links were split into, by key (docs/leakage.md). The
// embeddings were made without the first one.
struct TrainingFolds {
  int count = 0;  // 0: not known
  uint64_t seed = 0;
};

struct BundleManifest {
  int format_version = kBundleFormatVersion;
  int contract_version = kModelContractVersion;
  // The first 16 hexadecimal digits of a SHA-256 over the rest of the manifest
  // without the members below report/.
  std::string bundle_id;
  std::string preset;
  std::string created;  // RFC 3339
  uint64_t seed = 0;

  uint64_t node_count = 0;
  int embedding_dim = 0;  // including the columns of `attributes`
  // The attributes of the nodes, which are the last columns of the embeddings.
  std::vector<AttributeColumn> attributes;
  int layers = 0, heads = 0;
  int hidden_dim = 0;
  std::vector<std::string> relations;
  std::vector<std::string> node_types;
  std::vector<std::string> token_features;
  std::vector<std::string> pair_features;
  std::vector<std::string> outputs;  // columns of forward(): OutputNames()

  std::string graph_digest;
  std::string split_digest;
  std::optional<LiveGraphOrigin> live_graph;
  TrainingFolds folds;
  // The id of the bundle that the training started from; empty: from none.
  std::string warm_start;
  OwnPairLinks own_pair_links = OwnPairLinks::kHide;  // kShow when leaky
  // Whether the model was trained on held-out links, which is done only to
  // compare it with published results.
  bool leaky = false;
  ContextOptions context;
  int contexts_per_link = 1;
  OutputReading reading;
  // One sentence: why reading.scorer answers by default. Empty: not known.
  std::string scorer_reason;
  std::map<std::string, double> metrics;  // such as "test.auroc"

  std::vector<BundleMember> members;

  // How links are encoded for this bundle. Leaves `embeddings` empty.
  LinkEncoderOptions EncoderOptions() const;
};

// A manifest in which only the fields are set that follow from the graph and
// from the sizes of the network: the node count, the dimensions, layers and
// heads, and the names of relations, node types, token features and outputs.
BundleManifest ManifestOf(const GraphCatalogue& catalogue,
                          const NetworkOptions& network);

// Indented JSON, keys sorted, in the format of manifest.format_version. The
// format is described in bundle_manifest.cc.
std::string ManifestToJson(const BundleManifest& manifest);

// FAILED_PRECONDITION for a format or contract version that this build does not
// read; DATA_LOSS naming the field that is missing or of the wrong type;
// DATA_LOSS, too, for an unknown strategy, scorer or pooling and for context
// options out of their bounds.
absl::StatusOr<BundleManifest> ManifestFromJson(std::string_view json);

}  // namespace slice

#endif  // SLICE_MODEL_BUNDLE_MANIFEST_H_
