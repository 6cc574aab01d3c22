// Checks the fields of a manifest in groups: digests, sizes, how outputs are
// read, attributes, members. Each error names the field and the values that are
// allowed. What the JSON parser refuses already (wrong types, missing fields,
// unknown names) is not checked again. CheckGraph compares a manifest with a
// graph.
#include "model/manifest_check.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "model/prediction.h"

namespace slice {
namespace {

constexpr size_t kBundleIdDigits = 16;
constexpr size_t kSha256Digits = 64;
constexpr double kMaxNodes = 4294967295.0;
constexpr int kMaxContextsPerLink = 64;
constexpr int kMaxWidth = 1 << 16;
constexpr int kMaxLayers = 256;
constexpr double kLeastShare = 1e-9;
constexpr double kLeastLogOdds = -100;

absl::Status Refused(std::string_view field, const std::string& value,
                     std::string_view wanted) {
  return absl::DataLossError(
      absl::StrCat("MANIFEST.json: the field '", std::string(field), "' is ",
                   value, "; it must be ", std::string(wanted)));
}

absl::Status CheckDigits(std::string_view field, const std::string& value,
                         size_t digits) {
  const bool hexadecimal = std::all_of(value.begin(), value.end(), [](char c) {
    return ('0' <= c && c <= '9') || ('a' <= c && c <= 'f');
  });
  if (hexadecimal && value.size() == digits) return absl::OkStatus();
  return Refused(field, absl::StrCat("'", value, "'"),
                 absl::StrCat(digits, " hexadecimal digits"));
}

absl::Status CheckBetween(std::string_view field, double value, double least,
                          double most) {
  if (value >= least && value <= most) return absl::OkStatus();
  return Refused(field, absl::StrCat(value),
                 absl::StrCat("from ", least, " to ", most));
}

absl::Status CheckFinite(std::string_view field, double value) {
  if (std::isfinite(value)) return absl::OkStatus();
  return Refused(field, absl::StrCat(value), "a finite number");
}

absl::Status CheckAboveZero(std::string_view field, double value) {
  if (std::isfinite(value) && value > 0) return absl::OkStatus();
  return Refused(field, absl::StrCat(value), "a finite number above 0");
}

absl::Status CheckDigests(const BundleManifest& manifest) {
  SLICE_RETURN_IF_ERROR(
      CheckDigits("bundle_id", manifest.bundle_id, kBundleIdDigits));
  SLICE_RETURN_IF_ERROR(
      CheckDigits("graph_digest", manifest.graph_digest, kSha256Digits));
  if (manifest.live_graph) {
    SLICE_RETURN_IF_ERROR(CheckDigits("live_graph.graph_digest",
                                      manifest.live_graph->graph_digest,
                                      kSha256Digits));
  }
  return CheckDigits("split_digest", manifest.split_digest, kSha256Digits);
}

absl::Status CheckSizes(const BundleManifest& manifest) {
  SLICE_RETURN_IF_ERROR(CheckBetween(
      "node_count", static_cast<double>(manifest.node_count), 0, kMaxNodes));
  SLICE_RETURN_IF_ERROR(
      CheckBetween("embedding_dim", manifest.embedding_dim, 1, kMaxWidth));
  SLICE_RETURN_IF_ERROR(
      CheckBetween("hidden_dim", manifest.hidden_dim, 0, kMaxWidth));
  SLICE_RETURN_IF_ERROR(CheckBetween("layers", manifest.layers, 0, kMaxLayers));
  SLICE_RETURN_IF_ERROR(CheckBetween("heads", manifest.heads, 0, kMaxLayers));
  return CheckBetween("contexts_per_link", manifest.contexts_per_link, 1,
                      kMaxContextsPerLink);
}

absl::Status CheckCalibration(const std::string& field,
                              const Calibration& calibration) {
  SLICE_RETURN_IF_ERROR(CheckAboveZero(absl::StrCat(field, ".temperature"),
                                       calibration.temperature));
  SLICE_RETURN_IF_ERROR(CheckBetween(absl::StrCat(field, ".decision_threshold"),
                                     calibration.threshold, 0, 1));
  SLICE_RETURN_IF_ERROR(
      CheckFinite(absl::StrCat(field, ".offset"), calibration.offset));
  return CheckBetween(absl::StrCat(field, ".base_rate"), calibration.base_rate,
                      kLeastShare, 1 - kLeastShare);
}

absl::Status CheckSchemaPrior(const std::string& field,
                              const SchemaPrior& prior) {
  for (const auto& [name, value] : {std::pair(".self", prior.self),
                                    std::pair(".off_schema", prior.off_schema)})
    SLICE_RETURN_IF_ERROR(
        CheckBetween(absl::StrCat(field, name), value, kLeastLogOdds, 0));
  return absl::OkStatus();
}

absl::Status CheckReading(const BundleManifest& manifest) {
  const OutputReading& reading = manifest.reading;
  const RelationReadings* const known = reading.relations.get();
  for (int i = 0; i < kQuestions; ++i) {
    const std::string name = absl::StrCat(
        "calibration.", std::string(QuestionName(static_cast<Question>(i))));
    SLICE_RETURN_IF_ERROR(CheckCalibration(name, reading.calibrations[i]));
    if (known == nullptr) continue;
    for (size_t r = 0; r < known->calibrations[i].size(); ++r) {
      SLICE_RETURN_IF_ERROR(CheckCalibration(
          absl::StrCat(name, ".relations.", manifest.relations[r]),
          known->calibrations[i][r]));
    }
  }
  SLICE_RETURN_IF_ERROR(CheckBetween(
      "off_schema_margin", reading.off_schema_margin, 0, -kLeastLogOdds));
  if (known == nullptr) return absl::OkStatus();
  for (size_t r = 0; r < known->schema.size(); ++r) {
    SLICE_RETURN_IF_ERROR(
        CheckSchemaPrior(absl::StrCat("schema_prior.", manifest.relations[r]),
                         known->schema[r]));
  }
  return absl::OkStatus();
}

absl::Status CheckAttributes(const std::vector<AttributeColumn>& columns) {
  for (const AttributeColumn& column : columns) {
    SLICE_RETURN_IF_ERROR(CheckFinite(
        absl::StrCat("attributes.", column.name, ".mean"), column.mean));
    SLICE_RETURN_IF_ERROR(
        CheckFinite(absl::StrCat("attributes.", column.name, ".deviation"),
                    column.deviation));
  }
  return absl::OkStatus();
}

// The path of a member must stay inside the bundle.
absl::Status CheckMember(const BundleMember& member) {
  const std::filesystem::path path(member.path);
  const bool climbs = std::find(path.begin(), path.end(), "..") != path.end();
  if (path.empty() || path.is_absolute() || climbs) {
    return absl::DataLossError(absl::StrCat("MANIFEST.json names the member '",
                                            member.path,
                                            "', which is outside the bundle"));
  }
  return CheckDigits(absl::StrCat("members.", member.path, ".sha256"),
                     member.sha256, kSha256Digits);
}

}  // namespace

absl::Status CheckManifest(const BundleManifest& manifest) {
  SLICE_RETURN_IF_ERROR(CheckDigests(manifest));
  SLICE_RETURN_IF_ERROR(CheckSizes(manifest));
  SLICE_RETURN_IF_ERROR(CheckReading(manifest));
  SLICE_RETURN_IF_ERROR(CheckAttributes(manifest.attributes));
  for (const BundleMember& member : manifest.members) {
    SLICE_RETURN_IF_ERROR(CheckMember(member));
  }
  return absl::OkStatus();
}

absl::Status CheckGraph(const BundleManifest& manifest,
                        const GraphSnapshot& snapshot,
                        std::string_view graph_digest) {
  const absl::string_view digest(graph_digest.data(), graph_digest.size());
  if (digest != manifest.graph_digest) {
    return absl::FailedPreconditionError(
        absl::StrCat("bundle ", manifest.bundle_id, " was trained on graph ",
                     manifest.graph_digest, ", not on ", digest));
  }
  if (snapshot.node_count() != manifest.node_count ||
      snapshot.relations() != manifest.relations ||
      snapshot.node_types() != manifest.node_types) {
    return absl::FailedPreconditionError(absl::StrCat(
        "bundle ", manifest.bundle_id, " was trained on ", manifest.node_count,
        " nodes and ", manifest.relations.size(), " relations; the graph has ",
        snapshot.node_count(), " nodes and ", snapshot.relation_count(),
        " relations, or other names of relations or node types"));
  }
  return absl::OkStatus();
}

}  // namespace slice
