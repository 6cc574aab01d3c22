// The names of strategies and walks, and the bounds of context options. The
// table kStrategies is the one place that lists all strategies; names, help
// texts and error messages come from it.
#include "context/context_options.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace slice {
namespace {

struct StrategyInfo {
  ContextStrategy strategy;
  std::string_view name;
  bool uses_seed;
};

constexpr StrategyInfo kStrategies[] = {
    {ContextStrategy::kTypedPaths, "paths", false},
    {ContextStrategy::kShortestPaths, "shortest", false},
    {ContextStrategy::kAllPaths, "all", false},
    {ContextStrategy::kPatternPaths, "pattern", false},
    {ContextStrategy::kRandomPaths, "random", true},
    {ContextStrategy::kCoherentPaths, "coherent", false},
    {ContextStrategy::kRandomWalks, "walks", true},
    {ContextStrategy::kKhop, "khop", true},
};

const StrategyInfo& InfoOf(ContextStrategy strategy) {
  return *std::find_if(
      std::begin(kStrategies), std::end(kStrategies),
      [&](const StrategyInfo& info) { return info.strategy == strategy; });
}

absl::Status CheckBounds(const char* field, int value, int least, int most) {
  if (value >= least && value <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("context.", field, " is ",
                                                 value, "; it must be from ",
                                                 least, " to ", most));
}

}  // namespace

absl::StatusOr<ContextStrategy> ParseContextStrategy(std::string_view name) {
  for (const StrategyInfo& info : kStrategies) {
    if (info.name == name) return info.strategy;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown context strategy '", absl::string_view(name.data(), name.size()),
      "': use one of ", ContextStrategyNames()));
}

std::string_view ContextStrategyName(ContextStrategy strategy) {
  return InfoOf(strategy).name;
}

std::span<const ContextStrategy> AllContextStrategies() {
  static const std::vector<ContextStrategy> all = [] {
    std::vector<ContextStrategy> strategies;
    for (const StrategyInfo& info : kStrategies) {
      strategies.push_back(info.strategy);
    }
    return strategies;
  }();
  return all;
}

std::string ContextStrategyNames() {
  std::string names;
  for (const StrategyInfo& info : kStrategies) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", std::string(info.name));
  }
  return names;
}

bool UsesSeed(ContextStrategy strategy) { return InfoOf(strategy).uses_seed; }

absl::StatusOr<NodeWalk> ParseNodeWalk(std::string_view name) {
  if (name == "chain") return NodeWalk::kChain;
  if (name == "beam") return NodeWalk::kTwoHopBeam;
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown walk '", absl::string_view(name.data(), name.size()),
      "': use chain or beam"));
}

absl::Status ContextOptions::Validate() const {
  SLICE_RETURN_IF_ERROR(CheckBounds("max_nodes", max_nodes, 2, 64));
  SLICE_RETURN_IF_ERROR(CheckBounds("max_hops", max_hops, 1, 16));
  SLICE_RETURN_IF_ERROR(CheckBounds("max_degree", max_degree, 1, 1000000));
  SLICE_RETURN_IF_ERROR(CheckBounds("beam_width", beam_width, 1, 64));
  SLICE_RETURN_IF_ERROR(
      CheckBounds("max_expanded_arcs", max_expanded_arcs, 1, 100000000));
  if (strategy == ContextStrategy::kPatternPaths && metapaths.empty()) {
    return absl::InvalidArgumentError(
        "context.metapaths is empty: the strategy 'pattern' needs at least one "
        "metapath");
  }
  return absl::OkStatus();
}

}  // namespace slice
