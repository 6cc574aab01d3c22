// The manifest of a bundle: what MANIFEST.json holds.
#ifndef SLICE_MODEL_BUNDLE_MANIFEST_H_
#define SLICE_MODEL_BUNDLE_MANIFEST_H_

#include <cstdint>
#include <map>
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

inline constexpr int kBundleFormatVersion = 2;
inline constexpr int kModelContractVersion = 2;

// A file of a bundle.
struct BundleMember {
  std::string path;  // relative, with forward slashes
  uint64_t size = 0;
  std::string sha256;
};

struct BundleManifest {
  int format_version = kBundleFormatVersion;
  int contract_version = kModelContractVersion;
  std::string bundle_id;  // 16 hexadecimal digits; digest of all but report/
  std::string preset;
  std::string created;  // RFC 3339
  uint64_t seed = 0;

  uint64_t node_count = 0;
  int embedding_dim = 0;  // the attribute columns included
  // The attributes of nodes; they are the last columns of the embeddings.
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
  OwnPairLinks own_pair_links = OwnPairLinks::kHide;  // kShow when leaky
  // Trained on held-out links, for comparison with the published protocol only.
  bool leaky = false;
  ContextOptions context;
  int contexts_per_link = 1;
  OutputReading reading;
  std::map<std::string, double> metrics;  // such as "test.auroc"

  std::vector<BundleMember> members;

  // How the bundle's links are encoded; without the embeddings.
  LinkEncoderOptions EncoderOptions() const;
};

// A manifest with the fields that follow from the graph and the sizes of the
// network: the nodes, the layers, and the names of relations, node types, token
// features and outputs.
BundleManifest ManifestOf(const GraphCatalogue& catalogue,
                          const NetworkOptions& network);

// Indented JSON, keys sorted. The format is described in bundle_manifest.cc.
std::string ManifestToJson(const BundleManifest& manifest);

// FAILED_PRECONDITION for a format or contract version that this build does not
// read; DATA_LOSS naming the field that is missing or of the wrong type.
absl::StatusOr<BundleManifest> ManifestFromJson(std::string_view json);

}  // namespace slice

#endif  // SLICE_MODEL_BUNDLE_MANIFEST_H_
