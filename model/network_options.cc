#include "model/network_options.h"

#include <algorithm>
#include <initializer_list>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/range_check.h"

namespace slice {
namespace {

// The value of Enum that has `name`. `names` are the names of all values of
// Enum, in the order of the values.
template <typename Enum>
absl::StatusOr<Enum> ParseName(const char* what, std::string_view name,
                               std::initializer_list<const char*> names) {
  int value = 0;
  for (const char* candidate : names) {
    if (name == candidate) return static_cast<Enum>(value);
    ++value;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown ", what, " '", absl::string_view(name.data(), name.size()),
      "': use one of ", absl::StrJoin(names, ", ")));
}

}  // namespace

absl::Status NetworkOptions::Validate() const {
  const RangedNumber numbers[] = {
      {"relation_count", double(relation_count), 1, 65535},
      {"embedding_dim", double(embedding_dim), 1, 4096},
      {"hidden_dim", double(hidden_dim), 1, 4096},
      {"layers", double(layers), 0, 8},
      {"heads", double(heads), 1, 64},
      {"head_dim", double(head_dim), 1, 1024},
      {"feed_forward_dim", double(feed_forward_dim), 1, 65536},
      {"gcn_layers", double(gcn_layers), 1, 8},
      {"pair_features", double(pair_features), 0, 65536},
      {"dropout", dropout, 0, 0.9},
  };
  return CheckRanges("network ", numbers);
}

int LayersRead(const NetworkOptions& options) {
  constexpr int kLastLayers = 4;
  const int all = std::max(options.layers, 1);
  switch (options.readout) {
    case LayerReadout::kLast:
      return 1;
    case LayerReadout::kAllConcatenated:
      return all;
    default:
      return std::min(all, kLastLayers);
  }
}

absl::StatusOr<ScoreHead> ParseScoreHead(std::string_view name) {
  return ParseName<ScoreHead>("score head", name, {"pair", "dot"});
}

absl::StatusOr<LayerReadout> ParseLayerReadout(std::string_view name) {
  return ParseName<LayerReadout>("layer readout", name,
                                 {"last", "last4_cat", "last4_sum", "all_cat"});
}

absl::StatusOr<Projection> ParseProjection(std::string_view name) {
  return ParseName<Projection>("projection", name, {"none", "linear", "ffn"});
}

absl::StatusOr<Composition> ParseComposition(std::string_view name) {
  return ParseName<Composition>("composition", name,
                                {"none", "sub", "mult", "circ_conv"});
}

absl::StatusOr<NetworkOptions> NetworkPreset(std::string_view name) {
  NetworkOptions options;
  if (name == "default") return options;
  if (name == "paper") {
    options.hidden_dim = 128;
    options.layers = 4;
    options.heads = 4;
    options.head_dim = 64;
    options.feed_forward_dim = 512;
    options.pre_norm = false;
    options.head = ScoreHead::kDot;
    return options;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown preset '", absl::string_view(name.data(), name.size()),
      "'; the presets are default and paper"));
}

}  // namespace slice
