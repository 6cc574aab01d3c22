#include "model/network_weights.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "model/torch/network_definition.h"

namespace slice {

const NetworkWeight& NetworkWeights::Get(std::string_view name) const {
  static const NetworkWeight none;
  const auto found = weights_.find(name);
  return found == weights_.end() ? none : found->second;
}

int64_t NetworkWeights::Dim(std::string_view name, size_t dimension) const {
  const NetworkWeight& weight = Get(name);
  return dimension < weight.shape.size() ? weight.shape[dimension] : 0;
}

bool NetworkWeights::Match(const NetworkOptions& options) const {
  if (!options.Validate().ok()) return false;
  const std::vector<ParameterSpec> specs = NetworkParameters(options);
  return specs.size() == weights_.size() &&
         std::all_of(specs.begin(), specs.end(), [this](const auto& spec) {
           return Get(spec.name).shape == spec.shape;
         });
}

absl::StatusOr<std::vector<NetworkOptions>> NetworkWeights::MatchingOptions()
    const {
  const auto dim = [this](std::string_view name, size_t dimension) {
    return static_cast<int>(Dim(name, dimension));
  };
  NetworkOptions options;
  options.relation_count = dim("relation_scale", 0);
  options.hidden_dim = dim("embed_weight", 0);
  options.embedding_dim = dim("embed_weight", 1);
  options.layers = 0;
  while (Has(absl::StrCat("layer_", options.layers, "_query_weight"))) {
    ++options.layers;
  }
  if (options.layers > 0) {
    options.heads = std::max(1, dim("layer_0_edge_bias", 1));
    options.head_dim = dim("layer_0_query_weight", 0) / options.heads;
    options.feed_forward_dim = dim("layer_0_ff1_weight", 0);
  }
  options.pre_norm = Has("final_norm_weight");
  if (Has("structural_weight1")) {
    options.structural_dim = dim("structural_weight1", 0);
    options.relation_dim = dim("structural_relation_embedding", 1);
    options.pair_features = dim("structural_weight1", 1) - options.relation_dim;
  }
  std::vector<NetworkOptions> matching;
  if (Has("ends_weight1")) {
    options.head = ScoreHead::kPair;
    options.relation_dim = dim("head_relation_embedding", 1);
    if (Match(options)) matching.push_back(options);
  } else {
    options.head = ScoreHead::kDot;
    if (Has("head_weight1") && options.layers == 0) {
      options.feed_forward_dim = dim("head_weight1", 0);
    }
    for (const LayerReadout readout :
         {LayerReadout::kAllConcatenated, LayerReadout::kLast,
          LayerReadout::kLastFourConcatenated, LayerReadout::kLastFourSummed}) {
      for (const Projection projection :
           {Projection::kLinear, Projection::kFeedForward, Projection::kNone}) {
        options.readout = readout;
        options.projection = projection;
        if (Match(options)) matching.push_back(options);
      }
    }
  }
  if (!matching.empty()) return matching;
  return absl::UnimplementedError(
      "its parameters match no network that our kernels run (they run no "
      "graph convolution)");
}

}  // namespace slice
