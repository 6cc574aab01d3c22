// The bundle: one directory with everything that serving a model needs. It is
// verified as a whole before anything reads it.
//
//   MANIFEST.json            BundleManifest (format: model/bundle_manifest.cc)
//   model.pt                 TorchScript
//   embeddings.bin           header, then float32 [nodes, dim]
//   tensors/statistics.bin   GraphStatistics
//   tensors/network.bin      NativeNetwork; absent if only TorchScript runs it
//   ranking.pt               a network whose structural scorer ranks; may be
//   tensors/ranking.bin      absent, as may the same network as NativeNetwork
//   graph/<family>.sst       the training graph, one file per column family
//   golden_links.json        GoldenLinks (model/golden_links.h)
//   report/                  what the trainer measured
//   MANIFEST.sig             the signature of MANIFEST.json; no member
#ifndef SLICE_MODEL_MODEL_BUNDLE_H_
#define SLICE_MODEL_MODEL_BUNDLE_H_

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/signing.h"
#include "context/link_encoder.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_statistics.h"
#include "model/bundle_manifest.h"
#include "model/embedding_table.h"
#include "model/golden_links.h"

namespace slice {

// The files of a network.
struct BundleNetwork {
  std::filesystem::path script;  // TorchScript
  // For our own kernels (NativeNetwork); a bundle may lack it.
  std::optional<std::filesystem::path> native;
};

// A bundle in memory. Immutable; thread-safe. A request shares the ownership of
// the bundle that answers it.
class ModelBundle {
 public:
  // Reads the manifest, checks the size and the digest of every member, and
  // loads the members. NOT_FOUND when the directory has no manifest;
  // FAILED_PRECONDITION for another format or contract version; DATA_LOSS
  // naming the member that is missing, changed, or of a wrong dimension; errors
  // of ManifestFromJson and CheckManifest. `graph/` may be absent if the server
  // has ingested the graph already; if it is present, it must be intact.
  // graph_present() says whether it is present. With `trusted` keys, a manifest
  // that none of them has signed gives FAILED_PRECONDITION.
  static absl::StatusOr<std::shared_ptr<const ModelBundle>> Open(
      const std::filesystem::path& directory,
      const VerifyingKeys* trusted = nullptr);

  const BundleManifest& manifest() const { return manifest_; }
  const EmbeddingTable& embeddings() const { return *embeddings_; }
  NodeEmbeddings node_embeddings() const;  // the same
  const GraphStatistics& statistics() const { return statistics_; }
  const BundleNetwork& network() const { return network_; }
  // The network that ranks candidates, if it is not network().
  const std::optional<BundleNetwork>& ranking_network() const {
    return ranking_network_;
  }
  std::filesystem::path graph_directory() const { return directory_ / "graph"; }
  bool graph_present() const { return graph_present_; }
  // Empty for a bundle that has no such member.
  const GoldenLinks& golden_links() const { return golden_links_; }

  // The encoder that this bundle was trained with. The encoder reads the
  // bundle's embeddings, so the bundle must outlive it. DATA_LOSS when the
  // statistics lack a table; FAILED_PRECONDITION when this build computes other
  // pair features than the bundle was trained with.
  // Give both for a graph that changes after training (LinkEncoderOptions).
  absl::StatusOr<std::unique_ptr<LinkEncoder>> MakeEncoder(
      const UnknownNodes* unknown_nodes = nullptr,
      const RelationSchema* schema = nullptr) const;

 private:
  ModelBundle() = default;
  std::filesystem::path directory_;
  BundleManifest manifest_;
  std::unique_ptr<EmbeddingTable> embeddings_;
  GraphStatistics statistics_;
  GoldenLinks golden_links_;
  bool graph_present_ = false;
  BundleNetwork network_;
  std::optional<BundleNetwork> ranking_network_;
};

// Writes the signature of the manifest of the bundle `directory` beside it.
// Returns the errors of ReadFile and Sign; NOT_FOUND when it is no bundle.
absl::Status SignBundle(const std::filesystem::path& directory,
                        const std::filesystem::path& private_key);

// FAILED_PRECONDITION when `destination` exists and is neither a bundle nor an
// empty directory, because publishing would delete what somebody keeps in it.
absl::Status CheckBundleDestination(const std::filesystem::path& destination);

// Returns `manifest` with three fields filled in: the files of `staging` as
// members, the time of creation (if it was empty) and the bundle id. Files
// below report/ may be added later, because the id does not depend on them.
absl::StatusOr<BundleManifest> DescribeBundle(
    const std::filesystem::path& staging, BundleManifest manifest);

// Makes a bundle of the directory `staging`, in which every regular file is a
// member: writes the manifest of DescribeBundle, fsyncs everything and renames
// `staging` to `destination`, replacing an older bundle there. Returns the
// errors of CheckBundleDestination.
absl::Status PublishBundle(const std::filesystem::path& staging,
                           const std::filesystem::path& destination,
                           BundleManifest manifest);

}  // namespace slice

#endif  // SLICE_MODEL_MODEL_BUNDLE_H_
