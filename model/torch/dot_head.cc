#include "model/torch/dot_head.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "model/torch/script_float.h"

namespace slice {
namespace {

const char* ProjectionSource(Projection projection) {
  switch (projection) {
    case Projection::kNone:
      return "";
    case Projection::kLinear:
      return "    h = torch.linear(h, self.head_weight, self.head_bias)\n";
    default:
      return R"(    h = torch.linear(h, self.head_weight1, self.head_bias1)
    h = torch.dropout(torch.relu(h), $P, self.training)
    h = torch.linear(h, self.head_weight2, self.head_bias2)
)";
  }
}

}  // namespace

std::string LayerReadoutSource(const NetworkOptions& options) {
  const int d = options.hidden_dim;
  const int all = std::max(options.layers, 1);
  const int read = LayersRead(options);
  // x is the output of the last layer. In pre-norm networks it has passed the
  // final layer norm.
  if (options.readout == LayerReadout::kLast) return "x";
  if (options.readout == LayerReadout::kLastFourSummed) {
    std::vector<std::string> parts;
    for (int layer = all - read; layer < all; ++layer) {
      parts.push_back(absl::StrCat("torch.narrow(all_layers, -1, ", layer * d,
                                   ", ", d, ")"));
    }
    return absl::StrJoin(parts, " + ");
  }
  return absl::StrCat("torch.narrow(all_layers, -1, ", (all - read) * d, ", ",
                      read * d, ")");
}

int LayerReadoutWidth(const NetworkOptions& options) {
  const bool concatenated =
      options.readout == LayerReadout::kLastFourConcatenated ||
      options.readout == LayerReadout::kAllConcatenated;
  return options.hidden_dim * (concatenated ? LayersRead(options) : 1);
}

std::string DotHeadSource(const NetworkOptions& options) {
  const std::string source =
      absl::StrCat("\ndef contextual(self, x, all_layers, kinds, relation):\n",
                   "    h = ", LayerReadoutSource(options), "\n",
                   ProjectionSource(options.projection),
                   "    p = torch.select(h, 1, 0) * torch.select(h, 1, 1)\n",
                   "    return torch.sum(p, -1, True).expand(-1, 2)\n");
  return absl::StrReplaceAll(source, {{"$P", ScriptFloat(options.dropout)}});
}

std::vector<ParameterSpec> DotHeadParameters(const NetworkOptions& options) {
  const int64_t d = options.hidden_dim;
  const int64_t ff = options.feed_forward_dim;
  const int64_t in = LayerReadoutWidth(options);
  switch (options.projection) {
    case Projection::kNone:
      return {};
    case Projection::kLinear:
      return {{"head_weight", {d, in}},
              {"head_bias", {d}, ParameterInit::kZero}};
    default:
      return {{"head_weight1", {ff, in}},
              {"head_bias1", {ff}, ParameterInit::kZero},
              {"head_weight2", {d, ff}},
              {"head_bias2", {d}, ParameterInit::kZero}};
  }
}

}  // namespace slice
