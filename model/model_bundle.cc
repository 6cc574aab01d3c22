// A bundle is opened in this order, so that no file is read before it is
// verified:
//   1. MANIFEST.json is parsed. Writing the parsed manifest must give the same
//      bytes, and its digest must give the bundle id.
//   2. The values of the manifest are checked (model/manifest_check.h).
//   3. The size and SHA-256 of every member are compared with the manifest.
//   4. The embeddings and statistics are loaded.
// Publishing goes the other way: it lists and digests the files of a staging
// directory, writes the manifest and renames the directory.
#include "model/model_bundle.h"

#include <algorithm>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "common/files.h"
#include "common/sha256.h"
#include "common/status_macros.h"
#include "model/manifest_check.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

constexpr char kManifestName[] = "MANIFEST.json";
constexpr char kSignatureName[] = "MANIFEST.sig";
constexpr char kGraphPrefix[] = "graph/";
constexpr char kReportPrefix[] = "report/";

bool IsGraphMember(const BundleMember& member) {
  return member.path.rfind(kGraphPrefix, 0) == 0;
}

absl::Status VerifyMember(const fs::path& directory,
                          const BundleMember& member) {
  const fs::path path = directory / member.path;
  std::error_code error;
  const uint64_t size = fs::file_size(path, error);
  if (error) {
    return absl::DataLossError(absl::StrCat("bundle member ", member.path,
                                            " is missing from ",
                                            directory.string()));
  }
  if (size != member.size) {
    return absl::DataLossError(
        absl::StrCat("bundle member ", member.path, " has ", size,
                     " bytes; the manifest says ", member.size));
  }
  SLICE_ASSIGN_OR_RETURN(const std::string digest, Sha256File(path));
  if (digest != member.sha256) {
    return absl::DataLossError(absl::StrCat(
        "bundle member ", member.path, " was changed: its SHA-256 is ", digest,
        "; the manifest says ", member.sha256));
  }
  return absl::OkStatus();
}

// The first 16 digits of the SHA-256 over the manifest, which holds the digests
// of the members. Members below report/ are left out: these files may contain
// the id, and what is measured about a bundle does not change its answers.
std::string BundleId(BundleManifest manifest) {
  manifest.bundle_id.clear();
  std::erase_if(manifest.members, [](const BundleMember& member) {
    return member.path.starts_with(kReportPrefix);
  });
  return Sha256Bytes(ManifestToJson(manifest)).substr(0, 16);
}

// Checks that no byte of MANIFEST.json has changed since it was written.
absl::Status VerifyManifest(const BundleManifest& manifest,
                            const std::string& json) {
  if (ManifestToJson(manifest) == json &&
      BundleId(manifest) == manifest.bundle_id) {
    return absl::OkStatus();
  }
  return absl::DataLossError(absl::StrCat(
      "bundle member MANIFEST.json was changed: its digest does not give the "
      "bundle id ",
      manifest.bundle_id));
}

// Whether one of the keys has signed this manifest.
absl::Status VerifySignature(const fs::path& directory, const std::string& json,
                             const VerifyingKeys& trusted) {
  std::error_code error;
  if (!fs::exists(directory / kSignatureName, error)) {
    return absl::FailedPreconditionError(
        absl::StrCat("it is not signed (it has no ", kSignatureName,
                     "), and --trusted-keys asks for a signature; sign it with "
                     "slice-trainer sign"));
  }
  SLICE_ASSIGN_OR_RETURN(const std::string text,
                         ReadFile(directory / kSignatureName));
  std::string signature;
  absl::Base64Unescape(absl::StripAsciiWhitespace(text), &signature);
  if (trusted.HaveSigned(json, signature)) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(kSignatureName,
                   " is not the signature of its manifest by a key of "
                   "--trusted-keys"));
}

absl::Status WrongSize(const char* what, uint64_t found, uint64_t expected) {
  return absl::DataLossError(absl::StrCat("bundle member embeddings.bin has ",
                                          found, what, "; the manifest says ",
                                          expected));
}

absl::Status CheckSize(const EmbeddingTable& embeddings,
                       const BundleManifest& manifest) {
  if (embeddings.rows() != manifest.node_count) {
    return WrongSize(" rows", embeddings.rows(), manifest.node_count);
  }
  if (embeddings.dim() != manifest.embedding_dim) {
    return WrongSize(" numbers per row", embeddings.dim(),
                     manifest.embedding_dim);
  }
  return absl::OkStatus();
}

bool HasMember(const BundleManifest& manifest, std::string_view path) {
  return std::any_of(
      manifest.members.begin(), manifest.members.end(),
      [path](const BundleMember& member) { return member.path == path; });
}

absl::Status RequireMember(const BundleManifest& manifest, const char* path) {
  if (HasMember(manifest, path)) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat("MANIFEST.json does not list the member ", path));
}

// The files of a network; `native` may be missing.
BundleNetwork NetworkOf(const fs::path& directory,
                        const BundleManifest& manifest, const char* script,
                        const char* native) {
  BundleNetwork network{directory / script, {}};
  if (HasMember(manifest, native)) network.native = directory / native;
  return network;
}

absl::StatusOr<std::vector<BundleMember>> ListMembers(const fs::path& staging) {
  std::vector<BundleMember> members;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(staging, error), end;
       !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    if (!entry->is_regular_file(gone)) continue;
    const fs::path& path = entry->path();
    BundleMember member;
    member.path = path.lexically_relative(staging).generic_string();
    if (member.path == kManifestName || member.path == kSignatureName) continue;
    member.size = entry->file_size(gone);
    if (gone) return FileError("measure", path, gone.value());
    SLICE_ASSIGN_OR_RETURN(member.sha256, Sha256File(path));
    SLICE_RETURN_IF_ERROR(SyncPath(path));
    members.push_back(std::move(member));
  }
  if (error) return FileError("list", staging, error.value());
  std::sort(members.begin(), members.end(),
            [](const auto& a, const auto& b) { return a.path < b.path; });
  return members;
}

// Users easily name a directory of bundles instead of a bundle. The error then
// lists the bundles in this directory.
absl::Status RequireBundle(const fs::path& directory) {
  std::error_code error;
  if (!fs::is_directory(directory, error) ||
      fs::exists(directory / kManifestName, error)) {
    return absl::OkStatus();  // reading the manifest reports other problems
  }
  std::vector<std::string> bundles;
  for (fs::directory_iterator entry(directory, error), end;
       !error && entry != end; entry.increment(error)) {
    std::error_code unknown;
    if (fs::exists(entry->path() / kManifestName, unknown)) {
      bundles.push_back(entry->path().string());
    }
  }
  std::sort(bundles.begin(), bundles.end());
  return absl::NotFoundError(
      absl::StrCat(directory.string(), " is no bundle: it has no ",
                   kManifestName, bundles.empty() ? "" : "; did you mean ",
                   absl::StrJoin(bundles, " or "), bundles.empty() ? "" : "?"));
}

}  // namespace

absl::StatusOr<std::shared_ptr<const ModelBundle>> ModelBundle::Open(
    const fs::path& directory, const VerifyingKeys* trusted) {
  SLICE_RETURN_IF_ERROR(RequireBundle(directory));
  SLICE_ASSIGN_OR_RETURN(const std::string json,
                         ReadFile(directory / kManifestName));
  if (trusted != nullptr) {
    SLICE_RETURN_IF_ERROR(VerifySignature(directory, json, *trusted));
  }
  auto bundle = std::shared_ptr<ModelBundle>(new ModelBundle);
  bundle->directory_ = directory;
  SLICE_ASSIGN_OR_RETURN(bundle->manifest_, ManifestFromJson(json));
  const BundleManifest& manifest = bundle->manifest_;
  SLICE_RETURN_IF_ERROR(VerifyManifest(manifest, json));
  SLICE_RETURN_IF_ERROR(CheckManifest(manifest));
  std::error_code error;
  bundle->graph_present_ = fs::exists(directory / kGraphPrefix, error);
  for (const char* required :
       {"model.pt", "embeddings.bin", "tensors/statistics.bin"}) {
    SLICE_RETURN_IF_ERROR(RequireMember(manifest, required));
  }
  bundle->network_ =
      NetworkOf(directory, manifest, "model.pt", "tensors/network.bin");
  if (HasMember(manifest, "ranking.pt")) {
    bundle->ranking_network_ =
        NetworkOf(directory, manifest, "ranking.pt", "tensors/ranking.bin");
  }
  for (const BundleMember& member : manifest.members) {
    if (IsGraphMember(member) && !bundle->graph_present_) continue;
    SLICE_RETURN_IF_ERROR(VerifyMember(directory, member));
  }
  SLICE_ASSIGN_OR_RETURN(bundle->embeddings_,
                         EmbeddingTable::Open(directory / "embeddings.bin"));
  SLICE_RETURN_IF_ERROR(CheckSize(*bundle->embeddings_, manifest));
  SLICE_ASSIGN_OR_RETURN(
      bundle->statistics_,
      GraphStatistics::Load(directory / "tensors/statistics.bin"));
  if (HasMember(manifest, kGoldenLinksMember)) {
    SLICE_ASSIGN_OR_RETURN(const std::string golden,
                           ReadFile(directory / kGoldenLinksMember));
    SLICE_ASSIGN_OR_RETURN(bundle->golden_links_,
                           GoldenLinksFromJson(golden, manifest));
  }
  return bundle;
}

absl::Status SignBundle(const fs::path& directory, const fs::path& key) {
  SLICE_RETURN_IF_ERROR(RequireBundle(directory));
  SLICE_ASSIGN_OR_RETURN(const std::string json,
                         ReadFile(directory / kManifestName));
  SLICE_ASSIGN_OR_RETURN(const std::string signature, Sign(json, key));
  return WriteFileAtomically(directory / kSignatureName,
                             absl::StrCat(absl::Base64Escape(signature), "\n"));
}

NodeEmbeddings ModelBundle::node_embeddings() const {
  return {{embeddings_->data(), embeddings_->rows() * embeddings_->dim()},
          static_cast<size_t>(embeddings_->dim())};
}

absl::StatusOr<std::unique_ptr<LinkEncoder>> ModelBundle::MakeEncoder(
    const UnknownNodes* unknown_nodes, const RelationSchema* schema) const {
  const size_t relations = manifest_.relations.size();
  const size_t types = manifest_.node_types.size();
  SLICE_ASSIGN_OR_RETURN(EncoderTables tables,
                         EncoderTables::FromStatistics(
                             statistics_, relations, manifest_.node_count,
                             manifest_.pair_features.size()));
  const PairFeatureOptions features = {.walks = tables.walks.has_value()};
  if (!manifest_.pair_features.empty() &&
      PairFeatures(relations, types, features).names() !=
          manifest_.pair_features) {
    return absl::FailedPreconditionError(
        absl::StrCat("bundle ", manifest_.bundle_id,
                     " was trained with other pair features than this "
                     "program computes; train the bundle again"));
  }
  LinkEncoderOptions options = manifest_.EncoderOptions();
  options.embeddings = node_embeddings();
  options.unknown_nodes = unknown_nodes;
  options.schema = schema;
  return std::make_unique<LinkEncoder>(std::move(options), relations, types,
                                       std::move(tables));
}

absl::Status CheckBundleDestination(const fs::path& destination) {
  std::error_code error;
  if (!fs::exists(destination, error) ||
      fs::exists(destination / kManifestName, error)) {
    return absl::OkStatus();
  }
  if (fs::is_directory(destination, error) &&
      fs::is_empty(destination, error)) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat(destination.string(),
                   " exists and is not a bundle; name another directory for "
                   "the bundle, or move this one away"));
}

absl::StatusOr<BundleManifest> DescribeBundle(const fs::path& staging,
                                              BundleManifest manifest) {
  SLICE_ASSIGN_OR_RETURN(manifest.members, ListMembers(staging));
  if (manifest.created.empty()) {
    manifest.created =
        absl::FormatTime(absl::RFC3339_sec, absl::Now(), absl::UTCTimeZone());
  }
  manifest.bundle_id = BundleId(manifest);
  return manifest;
}

absl::Status PublishBundle(const fs::path& staging, const fs::path& destination,
                           BundleManifest manifest) {
  SLICE_RETURN_IF_ERROR(CheckBundleDestination(destination));
  SLICE_ASSIGN_OR_RETURN(manifest,
                         DescribeBundle(staging, std::move(manifest)));
  SLICE_RETURN_IF_ERROR(
      WriteFileAtomically(staging / kManifestName, ManifestToJson(manifest)));
  return ReplaceDirectory(staging, destination);
}

}  // namespace slice
