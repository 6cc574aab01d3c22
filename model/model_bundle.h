// The bundle: one directory with everything that serving a model needs. It is
// verified as a whole before anything reads it.
//
//   MANIFEST.json            BundleManifest; model/bundle_manifest.cc
//   model.pt                 TorchScript
//   embeddings.bin           header, then float32 [nodes, dim]
//   tensors/statistics.bin   GraphStatistics
//   graph/<family>.sst       the training graph, one file per column family
//   report/                  what the trainer measured
#ifndef SLICE_MODEL_MODEL_BUNDLE_H_
#define SLICE_MODEL_MODEL_BUNDLE_H_

#include <filesystem>
#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "context/link_encoder.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_statistics.h"
#include "model/bundle_manifest.h"
#include "model/embedding_table.h"

namespace slice {

// Immutable; thread-safe. Every request admitted with a bundle shares it.
class ModelBundle {
 public:
  // Reads the manifest, then checks every member's size and digest, then loads.
  // FAILED_PRECONDITION for another format or contract version; DATA_LOSS
  // naming the member that is missing, changed, or of a wrong dimension.
  // `graph/` may be absent, for a server that has ingested it already; where it
  // is present it must be intact. graph_present() says which.
  static absl::StatusOr<std::shared_ptr<const ModelBundle>> Open(
      const std::filesystem::path& directory);

  const BundleManifest& manifest() const { return manifest_; }
  const EmbeddingTable& embeddings() const { return *embeddings_; }
  const GraphStatistics& statistics() const { return statistics_; }
  std::filesystem::path model_path() const { return directory_ / "model.pt"; }
  std::filesystem::path graph_directory() const { return directory_ / "graph"; }
  bool graph_present() const { return graph_present_; }

  // The encoder that this bundle was trained with. It reads the bundle's
  // embeddings, so the bundle must outlive it. DATA_LOSS when the statistics
  // lack a table; FAILED_PRECONDITION when this build computes other pair
  // features.
  absl::StatusOr<std::unique_ptr<LinkEncoder>> MakeEncoder() const;

 private:
  ModelBundle() = default;
  std::filesystem::path directory_;
  BundleManifest manifest_;
  std::unique_ptr<EmbeddingTable> embeddings_;
  GraphStatistics statistics_;
  bool graph_present_ = false;
};

// FAILED_PRECONDITION when `destination` exists and is neither a bundle nor an
// empty directory: publishing would delete what somebody keeps in it.
absl::Status CheckBundleDestination(const std::filesystem::path& destination);

// `manifest` with the files of `staging` as members, the time and the bundle
// id. Files below report/ may be added later: the id does not depend on them.
absl::StatusOr<BundleManifest> DescribeBundle(
    const std::filesystem::path& staging, BundleManifest manifest);

// Describes `staging` (every regular file is a member), writes its manifest,
// fsyncs everything and renames `staging` to `destination`, replacing an older
// bundle there. Returns the errors of CheckBundleDestination.
absl::Status PublishBundle(const std::filesystem::path& staging,
                           const std::filesystem::path& destination,
                           BundleManifest manifest);

}  // namespace slice

#endif  // SLICE_MODEL_MODEL_BUNDLE_H_
