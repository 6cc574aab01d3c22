#include "graphstore/split/split_options.h"

#include <array>

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"random", "time", "newest",
                                                    "nodes"};

}  // namespace

std::string_view SplitRuleName(SplitRule rule) {
  return kNames[static_cast<size_t>(rule)];
}

absl::StatusOr<SplitRule> ParseSplitRule(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<SplitRule>(i);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown split '", std::string(name),
                   "': use random, time, newest or nodes"));
}

absl::Status SplitOptions::Validate() const {
  for (const double share : {valid_share, test_share}) {
    if (share > 0 && share < 1 && valid_share + test_share < 1) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "the shares of valid and test are ", valid_share, " and ", test_share,
        ": each must be above 0, and both together below 1"));
  }
  if (!relation.empty() && rule != SplitRule::kNodes) {
    return absl::InvalidArgumentError(
        absl::StrCat("a relation (", relation,
                     ") can only be named for the split nodes, not for ",
                     std::string(SplitRuleName(rule))));
  }
  return absl::OkStatus();
}

}  // namespace slice
