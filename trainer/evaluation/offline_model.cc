#include "trainer/evaluation/offline_model.h"

#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/status_macros.h"
#include "graphstore/rocksdb_graph_store.h"
#include "graphstore/same_ids.h"
#include "model/manifest_check.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

// A directory that its destructor removes.
class TemporaryDirectory {
 public:
  static absl::StatusOr<TemporaryDirectory> Create() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    if (error) {
      return absl::NotFoundError(
          "there is no directory for temporary files; set TMPDIR to one");
    }
    std::string name = (parent / "slice-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      return FileError("create", name, errno);
    }
    return TemporaryDirectory(name);
  }
  explicit TemporaryDirectory(fs::path path) : path_(std::move(path)) {}
  TemporaryDirectory(TemporaryDirectory&& other) noexcept
      : path_(std::exchange(other.path_, {})) {}
  ~TemporaryDirectory() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<OfflineModel>> OfflineModel::Open(
    const fs::path& bundle_directory, ForwardPath path) {
  auto model = std::unique_ptr<OfflineModel>(new OfflineModel);
  SLICE_ASSIGN_OR_RETURN(model->bundle_, ModelBundle::Open(bundle_directory));
  if (!model->bundle_->graph_present()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "bundle ", bundle_directory.string(),
        " has no graph/, which offline evaluation reads; name a bundle "
        "with its graph/"));
  }
  SLICE_ASSIGN_OR_RETURN(const TemporaryDirectory scratch,
                         TemporaryDirectory::Create());
  RocksDbGraphStoreOptions options;
  options.directory = scratch.path() / "graph";
  SLICE_ASSIGN_OR_RETURN(const auto store,
                         RocksDbGraphStore::OpenOrIngest(
                             options, model->bundle_->graph_directory()));
  SLICE_ASSIGN_OR_RETURN(model->trained_, store->BuildSnapshot());
  model->snapshot_ = model->trained_;
  SLICE_ASSIGN_OR_RETURN(const GraphMetadata metadata, store->Metadata());
  SLICE_RETURN_IF_ERROR(CheckGraph(model->bundle_->manifest(),
                                   *model->snapshot_, metadata.graph_digest));
  SLICE_ASSIGN_OR_RETURN(model->encoder_, model->bundle_->MakeEncoder());
  SLICE_ASSIGN_OR_RETURN(model->predictor_,
                         LinkPredictor::Create(model->bundle_, {.path = path}));
  return model;
}

absl::Status OfflineModel::MoveToGraphOf(const OfflineModel& other) {
  const std::string others = OtherIds(*trained_, other.graph());
  if (!others.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "bundle ", bundle_->manifest().bundle_id,
        " cannot answer on the graph of bundle ",
        other.bundle_->manifest().bundle_id, ", which has other ", others,
        " or gives them other ids. Bundles of one live graph (fit "
        "--from-store) agree in them"));
  }
  unknown_nodes_ =
      std::make_unique<UnknownNodes>(bundle_->node_embeddings(), *trained_);
  SLICE_ASSIGN_OR_RETURN(encoder_, bundle_->MakeEncoder(unknown_nodes_.get(),
                                                        &trained_->schema()));
  snapshot_ = other.snapshot_;
  return absl::OkStatus();
}

absl::Status OfflineModel::CheckRankable() const {
  const BundleManifest& manifest = bundle_->manifest();
  if (!manifest.pair_features.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("a bundle of the preset ", manifest.preset,
                   " has no structural scorer to rank candidates by; name a "
                   "bundle of the preset default or fast, or rank a comparison "
                   "method with slice-trainer baseline --rank-positives"));
}

}  // namespace slice
