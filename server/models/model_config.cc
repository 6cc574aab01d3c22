#include "server/models/model_config.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/did_you_mean.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr size_t kLongestName = 128;

absl::Status UnknownKey(const ConfigEntry& entry, const char* of,
                        const std::vector<std::string>& keys) {
  return entry.key_value.Error(absl::StrCat(
      of, " has no key ", Quoted(entry.key), Alternatives(entry.key, keys)));
}

absl::StatusOr<double> ReadShare(const ConfigValue& value) {
  SLICE_ASSIGN_OR_RETURN(const double share, value.Number());
  if (share > 0 && share <= 1) return share;
  return value.Error(
      absl::StrCat(share, " is no share: a number above 0, and at most 1"));
}

absl::StatusOr<TrialBy> ReadBy(const ConfigValue& value) {
  const absl::StatusOr<std::string> text = value.Text();
  SLICE_RETURN_IF_ERROR(text.status());
  if (*text == "identity") return TrialBy::kIdentity;
  if (*text == "link") return TrialBy::kLink;
  return value.Error(
      absl::StrCat(Quoted(*text), " is neither identity nor link"));
}

absl::StatusOr<CandidateSource> ReadCandidate(const ConfigValue& map,
                                              TrialKind kind) {
  SLICE_ASSIGN_OR_RETURN(const auto entries, map.Entries());
  CandidateSource candidate;
  candidate.trial.kind = kind;
  for (const ConfigEntry& entry : entries) {
    if (entry.key == "bundle") {
      SLICE_ASSIGN_OR_RETURN(candidate.bundle, entry.value.Text());
    } else if (entry.key == "share") {
      SLICE_ASSIGN_OR_RETURN(candidate.trial.share, ReadShare(entry.value));
    } else if (entry.key == "by") {
      SLICE_ASSIGN_OR_RETURN(candidate.trial.by, ReadBy(entry.value));
    } else {
      return UnknownKey(entry, "a candidate", {"bundle", "share", "by"});
    }
  }
  if (candidate.bundle.empty() || candidate.trial.share == 0) {
    return map.Error("a candidate needs a bundle and a share");
  }
  return candidate;
}

absl::Status ReadKey(const ConfigEntry& entry, ModelSource* model) {
  const ConfigValue& value = entry.value;
  if (entry.key == "name") {
    SLICE_ASSIGN_OR_RETURN(model->name, value.Text());
    const absl::Status good = CheckModelName(model->name);
    if (!good.ok()) return value.Error(std::string(good.message()));
  } else if (entry.key == "bundle") {
    SLICE_ASSIGN_OR_RETURN(model->bundle, value.Text());
  } else if (entry.key == "watch") {
    SLICE_ASSIGN_OR_RETURN(model->watch, value.Bool());
  } else if (entry.key == "canary" || entry.key == "shadow") {
    if (model->candidate.has_value()) {
      return entry.key_value.Error(
          "a model has one candidate at most: a canary or a shadow");
    }
    SLICE_ASSIGN_OR_RETURN(
        model->candidate,
        ReadCandidate(value, entry.key == "canary" ? TrialKind::kCanary
                                                   : TrialKind::kShadow));
  } else {
    return UnknownKey(entry, "a model",
                      {"name", "bundle", "watch", "canary", "shadow"});
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckModelName(const std::string& name) {
  bool good = !name.empty() && name.size() <= kLongestName;
  for (const char c : name) good = good && absl::ascii_isgraph(c);
  if (good) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      Quoted(name.substr(0, kLongestName)), " is no name of a model: 1 to ",
      kLongestName, " printable ASCII characters without blanks"));
}

absl::StatusOr<std::vector<ModelSource>> ReadModels(const ConfigValue& list) {
  SLICE_ASSIGN_OR_RETURN(const auto items, list.Items());
  std::vector<ModelSource> models;
  for (const ConfigValue& item : items) {
    SLICE_ASSIGN_OR_RETURN(const auto entries, item.Entries());
    ModelSource& model = models.emplace_back();
    for (const ConfigEntry& entry : entries) {
      SLICE_RETURN_IF_ERROR(ReadKey(entry, &model));
    }
    if (model.name.empty() || model.bundle.empty()) {
      return item.Error("a model needs a name and a bundle");
    }
  }
  return models;
}

}  // namespace slice
