// The source is put together from methods, in the order in which a batch runs
// through them:
//   embed_tokens: ids and features become token embeddings H^0.
//   gcn: an optional graph convolution (model/torch/relation_gcn.h).
//   layer_0, layer_1, ...: contextual translation (paper, equations 1 and 2).
//   encode_tokens: runs the layers; returns the last layer, all layers and the
//     attention.
//   structural, ends, contextual: the logits of the three scorers.
//   score: adds the structural logits to the logits of ends and of contextual.
//   forward, explain, encode: what the contract names.
// Sizes are substituted into the text ($D, $H, ...), because TorchScript source
// has no constants. The parameters are listed separately below. If the source
// uses a name that this list lacks, the source does not compile.
#include "model/torch/network_definition.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/substitute.h"
#include "context/context_subgraph.h"
#include "model/network_options.h"
#include "model/torch/dot_head.h"
#include "model/torch/relation_gcn.h"
#include "model/torch/script_float.h"

namespace slice {
namespace {

// The inputs of forward and explain, as in the contract.
constexpr char kInputs[] =
    "embeddings, nodes, kinds, roles, token_features, token_relations, "
    "pair_relations, relation, pair_features";

// Token embeddings H^0 [B, T, d]: the sum of the projected global embedding of
// the node, the kind, the role, the features and the relations of the token,
// scaled and shifted by the queried relation.
std::string EmbedTokensSource(const NetworkOptions& options) {
  return absl::Substitute(R"(
def embed_tokens(self, embeddings, nodes, kinds, roles, token_features, token_relations, relation):
    known = torch.ge(nodes, 0).unsqueeze(-1).type_as(embeddings)
    h = torch.embedding(embeddings, torch.clamp(nodes, 0)) * known
    x = torch.linear(h, self.embed_weight, self.embed_bias)
    x = x + torch.embedding(self.kind_embedding, kinds) + torch.embedding(self.role_embedding, roles)
    x = x + torch.linear(token_features, self.token_feature_weight)
    x = x + torch.sum(torch.embedding(self.token_relation_embedding, token_relations + torch.arange(3, dtype=4, device=token_relations.device) * $1 + $0), 2)
    scale = torch.embedding(self.relation_scale, relation).unsqueeze(1)
    shift = torch.embedding(self.relation_shift, relation).unsqueeze(1)
    return x * (1.0 + scale) + shift
)",
                          options.relation_count,
                          2 * options.relation_count + 1);
}

// One layer, equations 1 and 2 of the paper: the semantic association matrix A
// [B, heads, T, T] (multi-head attention with a bias per signed relation
// between tokens), then the contextual translation x + W_o A V and a
// feed-forward block.
std::string LayerSource(const NetworkOptions& options, int layer) {
  static constexpr char kPreNorm[] = R"(
def layer_$L(self, x, pair_relations, padding) -> Tuple[Tensor, Tensor]:
    n = torch.layer_norm(x, [$D], self.layer_$L_norm1_weight, self.layer_$L_norm1_bias)
    a = self.attention_$L(n, pair_relations, padding)
    x = x + self.translate_$L(n, a)
    n = torch.layer_norm(x, [$D], self.layer_$L_norm2_weight, self.layer_$L_norm2_bias)
    return x + self.feed_forward_$L(n), a
)";
  static constexpr char kPostNorm[] = R"(
def layer_$L(self, x, pair_relations, padding) -> Tuple[Tensor, Tensor]:
    a = self.attention_$L(x, pair_relations, padding)
    x = torch.layer_norm(x + self.translate_$L(x, a), [$D], self.layer_$L_norm1_weight, self.layer_$L_norm1_bias)
    x = torch.layer_norm(x + self.feed_forward_$L(x), [$D], self.layer_$L_norm2_weight, self.layer_$L_norm2_bias)
    return x, a
)";
  static constexpr char kBlocks[] = R"(
def attention_$L(self, x, pair_relations, padding):
    q = torch.linear(x, self.layer_$L_query_weight, self.layer_$L_query_bias).view(x.size(0), x.size(1), $H, $K).transpose(1, 2)
    k = torch.linear(x, self.layer_$L_key_weight).view(x.size(0), x.size(1), $H, $K).permute(0, 2, 3, 1)
    bias = torch.embedding(self.layer_$L_edge_bias, pair_relations + $R).permute(0, 3, 1, 2)
    s = torch.matmul(q, k) * $S + bias
    return torch.softmax(torch.masked_fill(s, padding, -1000000000.0), -1)
def translate_$L(self, x, a):
    v = torch.linear(x, self.layer_$L_value_weight, self.layer_$L_value_bias).view(x.size(0), x.size(1), $H, $K).transpose(1, 2)
    o = torch.matmul(a, v).transpose(1, 2).reshape(x.size(0), x.size(1), $W)
    o = torch.linear(o, self.layer_$L_out_weight, self.layer_$L_out_bias)
    return torch.dropout(o, $P, self.training)
def feed_forward_$L(self, x):
    f = torch.gelu(torch.linear(x, self.layer_$L_ff1_weight, self.layer_$L_ff1_bias))
    f = torch.linear(f, self.layer_$L_ff2_weight, self.layer_$L_ff2_bias)
    return torch.dropout(f, $P, self.training)
)";
  return absl::StrReplaceAll(
      absl::StrCat(kBlocks, options.pre_norm ? kPreNorm : kPostNorm),
      {{"$L", absl::StrCat(layer)},
       {"$D", absl::StrCat(options.hidden_dim)},
       {"$H", absl::StrCat(options.heads)},
       {"$K", absl::StrCat(options.head_dim)},
       {"$W", absl::StrCat(options.heads * options.head_dim)},
       {"$R", absl::StrCat(options.relation_count)},
       {"$S",
        ScriptFloat(1 / std::sqrt(static_cast<double>(options.head_dim)))},
       {"$P", ScriptFloat(options.dropout)}});
}

// Runs all layers. Returns the output of the last layer, the concatenated
// outputs of all layers (H^1 to H^K of the paper), and the attention of each
// layer.
std::string EncodeTokensSource(const NetworkOptions& options) {
  std::string source = R"(
def encode_tokens(self, x, kinds, pair_relations) -> Tuple[Tensor, Tensor, Tensor]:
    padding = torch.eq(kinds, 0).unsqueeze(1).unsqueeze(1)
)";
  if (options.composition != Composition::kNone) {
    source += "    x = self.gcn(x, pair_relations)\n";
  }
  std::vector<std::string> outputs, attentions;
  for (int layer = 0; layer < options.layers; ++layer) {
    absl::StrAppend(&source, "    x, a", layer, " = self.layer_", layer,
                    "(x, pair_relations, padding)\n    h", layer, " = x\n");
    outputs.push_back(absl::StrCat("h", layer));
    attentions.push_back(absl::StrCat("a", layer));
  }
  if (options.layers == 0) {
    absl::StrAppend(&source, "    return x, x, x.new_zeros([x.size(0), 0, ",
                    options.heads, ", x.size(1), x.size(1)])\n");
    return source;
  }
  if (options.pre_norm) {
    absl::StrAppend(&source, "    x = torch.layer_norm(x, [",
                    options.hidden_dim,
                    "], self.final_norm_weight, self.final_norm_bias)\n");
  }
  absl::StrAppend(&source, "    return x, torch.cat([",
                  absl::StrJoin(outputs, ", "), "], -1), torch.stack([",
                  absl::StrJoin(attentions, ", "), "], 1)\n");
  return source;
}

// The structural scorer (docs/model.md, "Structural features").
std::string StructuralSource(const NetworkOptions& options) {
  if (options.pair_features == 0) {
    return R"(
def structural(self, relation, pair_features):
    return pair_features.new_zeros([relation.size(0), 2])
)";
  }
  return absl::Substitute(R"(
def structural(self, relation, pair_features):
    x = torch.cat([pair_features, torch.embedding(self.structural_relation_embedding, relation)], -1)
    x = torch.gelu(torch.linear(x, self.structural_weight1, self.structural_bias1))
    x = torch.layer_norm(x, [$0], self.structural_norm_weight, self.structural_norm_bias)
    x = torch.dropout(x, $1, self.training)
    x = torch.gelu(torch.linear(x, self.structural_weight2, self.structural_bias2))
    x = torch.dropout(x, $1, self.training)
    return torch.linear(x, self.structural_weight3, self.structural_bias3)
)",
                          options.structural_dim, ScriptFloat(options.dropout));
}

// What the context scorer adds to the structural logits, [B, 2], computed from
// the encoder's outputs.
std::string HeadSource(const NetworkOptions& options) {
  if (options.head == ScoreHead::kDot) return DotHeadSource(options);
  return absl::Substitute(R"(
def contextual(self, x, all_layers, kinds, relation):
    real = torch.ne(kinds, 0).unsqueeze(-1).type_as(x)
    pool = torch.sum(x * real, 1) / torch.sum(real, 1)
    u = torch.select(x, 1, 0)
    v = torch.select(x, 1, 1)
    r = torch.embedding(self.head_relation_embedding, relation)
    z = torch.cat([u, v, u * v, pool, r], -1)
    z = torch.gelu(torch.linear(z, self.head_weight1, self.head_bias1))
    z = torch.dropout(z, $0, self.training)
    return torch.linear(z, self.head_weight2, self.head_bias2)
)",
                          ScriptFloat(options.dropout));
}

// What the ends scorer adds to the structural logits, [B, 2], computed from the
// embeddings of the two end tokens before any attention (docs/model.md,
// "Ends").
std::string EndsSource(const NetworkOptions& options) {
  if (options.head == ScoreHead::kDot) {
    return R"(
def ends(self, tokens, relation):
    return tokens.new_zeros([tokens.size(0), 2])
)";
  }
  return absl::Substitute(R"(
def ends(self, tokens, relation):
    u = torch.select(tokens, 1, 0)
    v = torch.select(tokens, 1, 1)
    r = torch.embedding(self.ends_relation_embedding, relation)
    z = torch.cat([u, v, u * v, r], -1)
    z = torch.gelu(torch.linear(z, self.ends_weight1, self.ends_bias1))
    z = torch.dropout(z, $0, self.training)
    return torch.linear(z, self.ends_weight2, self.ends_bias2)
)",
                          ScriptFloat(options.dropout));
}

constexpr char kMethods[] = R"(
def score(self, $I) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
    tokens = self.embed_tokens(embeddings, nodes, kinds, roles, token_features, token_relations, relation)
    x, all_layers, attention = self.encode_tokens(tokens, kinds, pair_relations)
    s = self.structural(relation, pair_features)
    e = s + self.ends(tokens, relation)
    c = s + self.contextual(x, all_layers, kinds, relation)
    return torch.cat([c, e, s], 1), attention, tokens, all_layers
def forward(self, $I):
    return self.score($I)[0]
def explain(self, $I) -> Tuple[Tensor, Tensor, Tensor]:
    logits, attention, tokens, all_layers = self.score($I)
    h = torch.cat($ALL, -1).reshape([tokens.size(0), tokens.size(1), $DEPTH, $D])
    h = torch.transpose(h, 1, 2)
    h = h * torch.rsqrt(torch.sum(h * h, [-1], True) + 1e-12)
    ends = torch.transpose(torch.slice(h, 2, 0, 2), 2, 3)
    return logits, attention, torch.matmul(h, ends)
def encode(self, embeddings, nodes, kinds, roles, token_features, token_relations, pair_relations, relation):
    tokens = self.embed_tokens(embeddings, nodes, kinds, roles, token_features, token_relations, relation)
    x, all_layers, attention = self.encode_tokens(tokens, kinds, pair_relations)
    return $READOUT
def encoding_width(self) -> int:
    return $WIDTH
)";

// encode() returns what the head reads, and pre-training trains what encode()
// returns. So a score by the dot product alone (--without-fine-tuning)
// multiplies vectors that were trained.
std::string MethodsSource(const NetworkOptions& options) {
  const bool is_dot = options.head == ScoreHead::kDot;
  const int width = is_dot ? LayerReadoutWidth(options) : options.hidden_dim;
  return absl::StrReplaceAll(
      kMethods,
      {{"$I", kInputs},
       {"$READOUT", is_dot ? LayerReadoutSource(options) : "x"},
       // Without layers, encode_tokens returns the tokens again.
       {"$ALL", options.layers == 0 ? "[tokens]" : "[tokens, all_layers]"},
       {"$DEPTH", absl::StrCat(options.layers + 1)},
       {"$D", absl::StrCat(options.hidden_dim)},
       {"$WIDTH", absl::StrCat(width)}});
}

// Collects parameters in the order of their declaration.
class ParameterList {
 public:
  void Add(std::string name, std::vector<int64_t> shape,
           ParameterInit init = ParameterInit::kUniformFanIn) {
    specs_.push_back({std::move(name), std::move(shape), init});
  }
  // A weight [out, in] and a bias [out] that begins at zero.
  void AddLinear(const std::string& prefix, const std::string& suffix,
                 int64_t out, int64_t in) {
    Add(prefix + "weight" + suffix, {out, in});
    Add(prefix + "bias" + suffix, {out}, ParameterInit::kZero);
  }
  void AddNorm(const std::string& prefix, int64_t dim) {
    Add(prefix + "_weight", {dim}, ParameterInit::kOne);
    Add(prefix + "_bias", {dim}, ParameterInit::kZero);
  }
  void Append(std::vector<ParameterSpec> specs) {
    for (ParameterSpec& spec : specs) specs_.push_back(std::move(spec));
  }
  std::vector<ParameterSpec> Take() { return std::move(specs_); }

 private:
  std::vector<ParameterSpec> specs_;
};

void AddLayer(const NetworkOptions& options, int layer, ParameterList& list) {
  const std::string prefix = absl::StrCat("layer_", layer, "_");
  const int64_t d = options.hidden_dim;
  const int64_t width = options.heads * options.head_dim;
  list.AddNorm(prefix + "norm1", d);
  list.AddNorm(prefix + "norm2", d);
  list.AddLinear(prefix + "query_", "", width, d);
  list.Add(prefix + "key_weight", {width, d});  // a key bias cancels in softmax
  list.AddLinear(prefix + "value_", "", width, d);
  list.AddLinear(prefix + "out_", "", d, width);
  list.Add(prefix + "edge_bias",
           {2 * options.relation_count + 1, options.heads},
           ParameterInit::kZero);
  list.AddLinear(prefix + "ff1_", "", options.feed_forward_dim, d);
  list.AddLinear(prefix + "ff2_", "", d, options.feed_forward_dim);
}

void AddStructural(const NetworkOptions& options, ParameterList& list) {
  const int64_t width = options.structural_dim;
  list.Add("structural_relation_embedding",
           {options.relation_count, options.relation_dim},
           ParameterInit::kNormal);
  list.AddLinear("structural_", "1", width,
                 options.pair_features + options.relation_dim);
  list.AddNorm("structural_norm", width);
  list.AddLinear("structural_", "2", width, width);
  list.AddLinear("structural_", "3", 2, width);
}

void AddHead(const NetworkOptions& options, ParameterList& list) {
  const int64_t d = options.hidden_dim;
  if (options.head == ScoreHead::kDot) {
    list.Append(DotHeadParameters(options));
    return;
  }
  list.Add("head_relation_embedding",
           {options.relation_count, options.relation_dim},
           ParameterInit::kNormal);
  list.AddLinear("head_", "1", 96, 4 * d + options.relation_dim);
  // Zeros beside a structural scorer, so that training starts from its logits.
  const ParameterInit last = options.pair_features > 0
                                 ? ParameterInit::kZero
                                 : ParameterInit::kUniformFanIn;
  list.Add("head_weight2", {2, 96}, last);
  list.Add("head_bias2", {2}, ParameterInit::kZero);
  list.Add("ends_relation_embedding",
           {options.relation_count, options.relation_dim},
           ParameterInit::kNormal);
  list.AddLinear("ends_", "1", 96, 3 * d + options.relation_dim);
  list.Add("ends_weight2", {2, 96}, last);
  list.Add("ends_bias2", {2}, ParameterInit::kZero);
}

// Keeps those parameters at zero that make a difference between tokens or edges
// beside the embeddings of their nodes (NetworkOptions::plain_tokens).
void UsePlainTokens(std::vector<ParameterSpec>& specs) {
  static constexpr std::string_view kNames[] = {
      "kind_embedding",           "role_embedding", "token_feature_weight",
      "token_relation_embedding", "relation_scale", "relation_shift"};
  for (ParameterSpec& spec : specs) {
    const std::string_view name = spec.name;
    if (name.ends_with("_edge_bias") ||
        std::find(std::begin(kNames), std::end(kNames), name) !=
            std::end(kNames)) {
      spec.init = ParameterInit::kZero;
      spec.trained = false;
    }
  }
}

}  // namespace

std::vector<ParameterSpec> NetworkParameters(const NetworkOptions& options) {
  const int64_t d = options.hidden_dim;
  const int64_t relations = options.relation_count;
  ParameterList list;
  list.AddLinear("embed_", "", d, options.embedding_dim);
  list.Add("kind_embedding", {kTokenKinds, d}, ParameterInit::kNormal);
  list.Add("role_embedding", {kTokenRoles, d}, ParameterInit::kNormal);
  list.Add("token_feature_weight", {d, kTokenFeatureCount});
  // One block for each of a token's three relations; a block has one row for
  // each signed relation.
  list.Add("token_relation_embedding", {3 * (2 * relations + 1), d},
           ParameterInit::kNormal);
  list.Add("relation_scale", {relations, d}, ParameterInit::kZero);
  list.Add("relation_shift", {relations, d}, ParameterInit::kZero);
  list.Append(RelationGcnParameters(options));
  for (int layer = 0; layer < options.layers; ++layer) {
    AddLayer(options, layer, list);
  }
  if (options.pre_norm) list.AddNorm("final_norm", d);
  if (options.pair_features > 0) AddStructural(options, list);
  AddHead(options, list);
  std::vector<ParameterSpec> specs = list.Take();
  if (options.plain_tokens) UsePlainTokens(specs);
  return specs;
}

std::string NetworkSource(const NetworkOptions& options) {
  std::string source = EmbedTokensSource(options);
  absl::StrAppend(&source, RelationGcnSource(options));
  for (int layer = 0; layer < options.layers; ++layer) {
    absl::StrAppend(&source, LayerSource(options, layer));
  }
  absl::StrAppend(&source, EncodeTokensSource(options),
                  StructuralSource(options), HeadSource(options),
                  EndsSource(options), MethodsSource(options));
  return source;
}

}  // namespace slice
