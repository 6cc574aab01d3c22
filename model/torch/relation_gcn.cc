// The source has two methods that depend on the composition (compose_sum,
// compose), one method for each layer (gcn_0, ...), and one that calls the
// layers (gcn). Between layers the table of relation vectors is multiplied with
// a matrix.
#include "model/torch/relation_gcn.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "model/torch/script_float.h"

namespace slice {
namespace {

// Two methods for each composition phi:
//   compose_sum(x, z, w)  sum over j of w_ij phi(x_j, z_ij); z is [B, T, T, d]
//                         and w is [B, T, T]
//   compose(x, z)         phi(x_i, z); z is [d]
constexpr char kSubSource[] = R"(
def compose_sum(self, x, z, w):
    return torch.matmul(w, x) - torch.sum(z * w.unsqueeze(-1), 2)
def compose(self, x, z):
    return x - z
)";
constexpr char kMultSource[] = R"(
def compose_sum(self, x, z, w):
    return torch.sum(z * x.unsqueeze(1) * w.unsqueeze(-1), 2)
def compose(self, x, z):
    return x * z
)";
// Correlation is a product of spectra (Nickel et al., AAAI 2016, equation 6).
// The sum is taken before the inverse transform, which saves a transform per
// edge.
constexpr char kCircConvSource[] = R"(
def compose_sum(self, x, z, w):
    a = torch.conj(torch.fft_rfft(x, $D, -1)).unsqueeze(1)
    b = torch.fft_rfft(z * w.unsqueeze(-1), $D, -1)
    return torch.fft_irfft(torch.sum(a * b, 2), $D, -1)
def compose(self, x, z):
    a = torch.conj(torch.fft_rfft(x, $D, -1))
    return torch.fft_irfft(a * torch.fft_rfft(z, $D, -1), $D, -1)
)";

constexpr char kLayerSource[] = R"(
def gcn_$L(self, x, table, pair_relations, n):
    z = torch.embedding(table, pair_relations + $R)
    forth = torch.gt(pair_relations, 0).type_as(x) * n
    back = torch.lt(pair_relations, 0).type_as(x) * n
    m = torch.linear(self.compose_sum(x, z, forth), self.gcn_$L_out_weight)
    m = m + torch.linear(self.compose_sum(x, z, back), self.gcn_$L_in_weight)
    m = m + torch.linear(self.compose(x, torch.select(table, 0, $R)), self.gcn_$L_self_weight)
    m = torch.dropout(m * 0.333333333, $P, self.training)
    return torch.tanh(torch.layer_norm(m, [$D], self.gcn_$L_norm_weight, self.gcn_$L_norm_bias))
)";

const char* CompositionSource(Composition composition) {
  switch (composition) {
    case Composition::kSub:
      return kSubSource;
    case Composition::kMult:
      return kMultSource;
    default:
      return kCircConvSource;
  }
}

}  // namespace

std::string RelationGcnSource(const NetworkOptions& options) {
  if (options.composition == Composition::kNone) return "";
  std::string source = CompositionSource(options.composition);
  std::string whole = R"(
def gcn(self, x, pair_relations):
    linked = torch.ne(pair_relations, 0).type_as(x)
    degree = torch.rsqrt(torch.clamp(torch.sum(linked, 2), 1.0))
    n = degree.unsqueeze(2) * degree.unsqueeze(1)
    table = self.gcn_relation_embedding
)";
  for (int layer = 0; layer < options.gcn_layers; ++layer) {
    absl::StrAppend(&source, absl::StrReplaceAll(
                                 kLayerSource, {{"$L", absl::StrCat(layer)}}));
    absl::StrAppend(&whole, "    x = self.gcn_", layer,
                    "(x, table, pair_relations, n)\n");
    if (layer + 1 < options.gcn_layers) {
      absl::StrAppend(&whole, "    table = torch.linear(table, self.gcn_",
                      layer, "_relation_weight)\n");
    }
  }
  absl::StrAppend(&source, whole, "    return x\n");
  return absl::StrReplaceAll(source,
                             {{"$D", absl::StrCat(options.hidden_dim)},
                              {"$R", absl::StrCat(options.relation_count)},
                              {"$P", ScriptFloat(options.dropout)}});
}

std::vector<ParameterSpec> RelationGcnParameters(
    const NetworkOptions& options) {
  if (options.composition == Composition::kNone) return {};
  const int64_t d = options.hidden_dim;
  std::vector<ParameterSpec> specs = {
      {"gcn_relation_embedding", {2 * options.relation_count + 1, d}}};
  for (int layer = 0; layer < options.gcn_layers; ++layer) {
    const std::string prefix = absl::StrCat("gcn_", layer, "_");
    for (const char* name : {"out_weight", "in_weight", "self_weight"}) {
      specs.push_back({prefix + name, {d, d}});
    }
    specs.push_back({prefix + "norm_weight", {d}, ParameterInit::kOne});
    specs.push_back({prefix + "norm_bias", {d}, ParameterInit::kZero});
    if (layer + 1 < options.gcn_layers) {
      specs.push_back({prefix + "relation_weight", {d, d}});
    }
  }
  return specs;
}

}  // namespace slice
