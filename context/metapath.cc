#include "context/metapath.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr size_t kMostSteps = 16;

std::string Quoted(absl::string_view text) {
  return absl::StrCat("'", text, "'");
}

absl::StatusOr<RelationId> FindRelation(
    absl::string_view name, absl::string_view metapath,
    std::span<const std::string> relations) {
  const auto found = std::find(relations.begin(), relations.end(), name);
  if (found == relations.end()) {
    return absl::NotFoundError(absl::StrCat("metapath ", Quoted(metapath),
                                            ": no relation is called ",
                                            Quoted(name)));
  }
  return static_cast<RelationId>(found - relations.begin());
}

}  // namespace

absl::StatusOr<Metapath> ParseMetapath(std::string_view text,
                                       std::span<const std::string> relations) {
  const absl::string_view whole(text.data(), text.size());
  Metapath metapath;
  absl::string_view steps = whole;
  if (const size_t sign = whole.find('='); sign != absl::string_view::npos) {
    SLICE_ASSIGN_OR_RETURN(
        metapath.asked, FindRelation(whole.substr(0, sign), whole, relations));
    steps = whole.substr(sign + 1);
  }
  for (absl::string_view step : absl::StrSplit(steps, ',')) {
    const bool back = !step.empty() && step[0] == '^';
    if (back) step.remove_prefix(1);
    SLICE_ASSIGN_OR_RETURN(const RelationId relation,
                           FindRelation(step, whole, relations));
    metapath.steps.push_back(
        SignedRelation(relation, back ? Direction::kIn : Direction::kOut));
  }
  if (metapath.steps.size() < 2 || metapath.steps.size() > kMostSteps) {
    return absl::InvalidArgumentError(
        absl::StrCat("metapath ", Quoted(whole), " has ", metapath.steps.size(),
                     " steps; it needs 2 to ", kMostSteps));
  }
  return metapath;
}

std::string FormatMetapath(const Metapath& metapath,
                           std::span<const std::string> relations) {
  std::string text;
  if (metapath.asked != kAnyRelation) {
    text = absl::StrCat(relations[metapath.asked], "=");
  }
  for (size_t i = 0; i < metapath.steps.size(); ++i) {
    const int32_t step = metapath.steps[i];
    absl::StrAppend(&text, i > 0 ? "," : "", step < 0 ? "^" : "",
                    relations[(step < 0 ? -step : step) - 1]);
  }
  return text;
}

}  // namespace slice
