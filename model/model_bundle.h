// The bundle: all that is needed to serve a model, in one directory. Verified
// whole before anything reads it.
//
//   MANIFEST.json            described in model_bundle.cc
//   model.pt                 TorchScript
//   embeddings.bin           header, then float32 [nodes, dim]
//   tensors/statistics.bin   GraphStatistics
//   graph/<family>.sst       the training graph, one file per column family
//   report/                  what the trainer measured
#ifndef SLICE_MODEL_MODEL_BUNDLE_H_
#define SLICE_MODEL_MODEL_BUNDLE_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "context/link_encoder.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_statistics.h"
#include "graphstore/node_attributes.h"
#include "model/embedding_table.h"
#include "model/prediction.h"

namespace slice {

inline constexpr int kBundleFormatVersion = 2;
inline constexpr int kModelContractVersion = 2;

struct BundleMember {
  std::string path;  // relative, with forward slashes
  uint64_t size = 0;
  std::string sha256;
};

struct BundleManifest {
  int format_version = kBundleFormatVersion;
  int contract_version = kModelContractVersion;
  std::string bundle_id;  // 16 digits; digest of all but report/
  std::string preset;
  std::string created;  // RFC 3339
  uint64_t seed = 0;

  uint64_t node_count = 0;
  int embedding_dim = 0;                    // attributes included
  std::vector<AttributeColumn> attributes;  // the last of these columns
  int layers = 0, heads = 0;
  int hidden_dim = 0;
  std::vector<std::string> relations;
  std::vector<std::string> node_types;
  std::vector<std::string> token_features;
  std::vector<std::string> pair_features;
  std::vector<std::string> outputs;  // columns of forward(): OutputNames()

  std::string graph_digest;
  std::string split_digest;
  std::string own_pair_links = "hide";  // or "reveal"; "show" when leaky
  // Trained on held-out links, for comparison with the published protocol only.
  bool leaky = false;
  ContextOptions context;
  int contexts_per_link = 1;
  OutputReading reading;
  std::map<std::string, double> metrics;  // such as "test.auroc"

  std::vector<BundleMember> members;

  LinkEncoderOptions EncoderOptions() const;
};

// Immutable; thread-safe; shared by every request that was admitted with it.
class ModelBundle {
 public:
  // Reads the manifest, then checks every member's size and digest, then loads.
  // FAILED_PRECONDITION for another format or contract version; DATA_LOSS
  // naming the member that is missing, changed, or of a wrong dimension.
  // `graph/` is only required to be intact where present: a server that has
  // already ingested it may do without (graph_present() tells).
  static absl::StatusOr<std::shared_ptr<const ModelBundle>> Open(
      const std::filesystem::path& directory);

  const BundleManifest& manifest() const { return manifest_; }
  const EmbeddingTable& embeddings() const { return *embeddings_; }
  const GraphStatistics& statistics() const { return statistics_; }
  std::filesystem::path model_path() const { return directory_ / "model.pt"; }
  std::filesystem::path graph_directory() const { return directory_ / "graph"; }
  bool graph_present() const { return graph_present_; }

  // FAILED_PRECONDITION, naming both digests or counts, unless the graph with
  // this digest and snapshot is the one the bundle was trained on.
  absl::Status CheckGraph(const GraphSnapshot& snapshot,
                          std::string_view graph_digest) const;

  // The encoder this bundle was trained with; it reads the bundle's embeddings,
  // which must outlive it. DATA_LOSS when its statistics lack something.
  absl::StatusOr<std::unique_ptr<LinkEncoder>> MakeEncoder() const;

 private:
  ModelBundle() = default;
  std::filesystem::path directory_;
  BundleManifest manifest_;
  std::unique_ptr<EmbeddingTable> embeddings_;
  GraphStatistics statistics_;
  bool graph_present_ = false;
};

// FAILED_PRECONDITION when `destination` is there and is no bundle: publishing
// would delete what somebody keeps in it. An empty directory is fine.
absl::Status CheckBundleDestination(const std::filesystem::path& destination);

// `manifest` with members, time and id. Files below report/ may come later.
absl::StatusOr<BundleManifest> DescribeBundle(
    const std::filesystem::path& staging, BundleManifest manifest);

// Describes `staging` (every regular file is a member), fsyncs everything and
// renames it to `destination`, replacing an older bundle there.
absl::Status PublishBundle(const std::filesystem::path& staging,
                           const std::filesystem::path& destination,
                           BundleManifest manifest);

}  // namespace slice

#endif  // SLICE_MODEL_MODEL_BUNDLE_H_
