// Appends the parameters to one array and notes where each begins. On the way
// they are brought into the form in which the kernel reads them:
//   - weights are transposed to [in, out];
//   - what would be computed in every call alike is computed here once: the sum
//     of a kind and a role embedding; 1 + relation_scale; the query weights
//     times 1 / sqrt(head_dim); and, for a perceptron whose input ends in a
//     relation embedding, one bias per relation;
//   - weights that are multiplied with the same input are put side by side:
//     query, key and value; node embedding and token features.
#include "model/cuda/arranged_weights.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "context/context_subgraph.h"

namespace slice {
namespace {

// `values` [out, in] as [in, out].
std::vector<float> Transposed(const std::vector<float>& values, size_t out) {
  const size_t in = values.size() / out;
  std::vector<float> across(values.size());
  for (size_t row = 0; row < out; ++row) {
    for (size_t i = 0; i < in; ++i)
      across[i * out + row] = values[row * in + i];
  }
  return across;
}

void Append(const std::vector<float>& values, float factor,
            std::vector<float>& to) {
  for (const float value : values) to.push_back(factor * value);
}

class Arranger {
 public:
  Arranger(const NetworkWeights& weights, const NetworkOptions& options)
      : weights_(weights), options_(options) {}

  ArrangedWeights Arrange() {
    SetSizes();
    ArrangeTokens();
    for (int layer = 0; layer < options_.layers; ++layer) ArrangeLayer(layer);
    EncoderArrays& a = arranged_.arrays;
    if (options_.pre_norm) a.final_norm = Norm("final_norm");
    if (options_.pair_features > 0) {
      a.structural1 = RelationProduct("structural_weight1", "structural_bias1",
                                      "structural_relation_embedding");
      a.structural_norm = Norm("structural_norm");
      a.structural2 = Linear("structural_weight2", "structural_bias2");
      a.structural3 = Linear("structural_weight3", "structural_bias3");
    }
    ArrangeHead();
    return std::move(arranged_);
  }

 private:
  const std::vector<float>& Values(const std::string& name) const {
    return weights_.Get(name).values;
  }

  // Appends an array; returns its place, the index at which it begins.
  int64_t Put(const std::vector<float>& values) {
    std::vector<float>& all = arranged_.values;
    const auto at = static_cast<int64_t>(all.size());
    all.insert(all.end(), values.begin(), values.end());
    return at;
  }

  // Appends a weight [out, in] and a bias, which may be empty.
  ProductArrays PutProduct(const std::vector<float>& weight,
                           const std::vector<float>& bias, size_t out) {
    ProductArrays product;
    product.in = static_cast<int>(weight.size() / out);
    product.out = static_cast<int>(out);
    product.weight = Put(Transposed(weight, out));
    if (!bias.empty()) product.bias = Put(bias);
    return product;
  }

  ProductArrays Linear(const std::string& weight, const std::string& bias) {
    return PutProduct(Values(weight), Values(bias),
                      static_cast<size_t>(weights_.Dim(weight, 0)));
  }

  NormArrays Norm(const std::string& name) {
    NormArrays norm;
    norm.gain = Put(Values(name + "_weight"));
    norm.shift = Put(Values(name + "_bias"));
    return norm;
  }

  // Rewrites W [x, e_r] + b as W x + (b + W e_r), for the parameters named
  // `weight` [out, in + r], `bias` [out] and `embedding` [relations, r].
  RelationProductArrays RelationProduct(const std::string& weight,
                                        const std::string& bias,
                                        const std::string& embedding) {
    const auto out = static_cast<size_t>(weights_.Dim(weight, 0));
    const auto columns = static_cast<size_t>(weights_.Dim(weight, 1));
    const auto relations = static_cast<size_t>(weights_.Dim(embedding, 0));
    const auto dim = static_cast<size_t>(weights_.Dim(embedding, 1));
    const size_t in = columns - dim;
    const std::vector<float>& all = Values(weight);
    std::vector<float> of_input;
    for (size_t row = 0; row < out; ++row) {
      const float* of_row = all.data() + row * columns;
      of_input.insert(of_input.end(), of_row, of_row + in);
    }
    std::vector<float> biases(relations * out);
    for (size_t relation = 0; relation < relations; ++relation) {
      const float* e = Values(embedding).data() + relation * dim;
      for (size_t row = 0; row < out; ++row) {
        const float* w = all.data() + row * columns + in;
        double sum = Values(bias)[row];
        for (size_t i = 0; i < dim; ++i) sum += double{w[i]} * e[i];
        biases[relation * out + row] = static_cast<float>(sum);
      }
    }
    RelationProductArrays product;
    product.product = PutProduct(of_input, {}, out);
    product.biases = Put(biases);
    return product;
  }

  void SetSizes() {
    EncoderArrays& a = arranged_.arrays;
    a.relations = options_.relation_count;
    a.embedding_dim = options_.embedding_dim;
    a.token_features = kTokenFeatureCount;
    a.pair_features = options_.pair_features;
    a.dim = options_.hidden_dim;
    a.layers = options_.layers;
    a.heads = options_.heads;
    a.head_dim = options_.head_dim;
    a.pre_norm = options_.pre_norm;
    a.dot = options_.head == ScoreHead::kDot;
    if (!a.dot) return;
    const LayerReadout readout = options_.readout;
    // Without layers every readout reads the token embeddings.
    a.reads_output = readout == LayerReadout::kLast || options_.layers == 0;
    a.sums_layers = readout == LayerReadout::kLastFourSummed;
    a.layers_read = LayersRead(options_);
  }

  void ArrangeTokens() {
    EncoderArrays& a = arranged_.arrays;
    const auto dim = static_cast<size_t>(options_.hidden_dim);
    const auto columns = static_cast<size_t>(options_.embedding_dim);
    // The weights of node embedding and token features side by side.
    std::vector<float> embed;
    for (size_t row = 0; row < dim; ++row) {
      const float* of_node = Values("embed_weight").data() + row * columns;
      const float* of_features = Values("token_feature_weight").data() +
                                 row * size_t{kTokenFeatureCount};
      embed.insert(embed.end(), of_node, of_node + columns);
      embed.insert(embed.end(), of_features, of_features + kTokenFeatureCount);
    }
    a.embed = PutProduct(embed, Values("embed_bias"), dim);
    std::vector<float> kind_roles;
    for (size_t kind = 0; kind < kTokenKinds; ++kind) {
      for (size_t role = 0; role < kTokenRoles; ++role) {
        for (size_t i = 0; i < dim; ++i) {
          kind_roles.push_back(Values("kind_embedding")[kind * dim + i] +
                               Values("role_embedding")[role * dim + i]);
        }
      }
    }
    a.kind_roles = Put(kind_roles);
    a.token_rows = Put(Values("token_relation_embedding"));
    std::vector<float> scale = Values("relation_scale");
    for (float& value : scale) value += 1;
    a.scale = Put(scale);
    a.shift = Put(Values("relation_shift"));
  }

  void ArrangeLayer(int index) {
    const std::string prefix = absl::StrCat("layer_", index, "_");
    LayerArrays& layer = arranged_.arrays.layer[index];
    const float scale = 1 / std::sqrt(static_cast<float>(options_.head_dim));
    const auto across = static_cast<size_t>(options_.heads) *
                        static_cast<size_t>(options_.head_dim);
    std::vector<float> projections, biases;
    Append(Values(prefix + "query_weight"), scale, projections);
    Append(Values(prefix + "key_weight"), 1, projections);
    Append(Values(prefix + "value_weight"), 1, projections);
    Append(Values(prefix + "query_bias"), scale, biases);
    biases.resize(2 * across);  // keys have no bias
    Append(Values(prefix + "value_bias"), 1, biases);
    layer.projections = PutProduct(projections, biases, 3 * across);
    layer.out = Linear(prefix + "out_weight", prefix + "out_bias");
    layer.feed_forward1 = Linear(prefix + "ff1_weight", prefix + "ff1_bias");
    layer.feed_forward2 = Linear(prefix + "ff2_weight", prefix + "ff2_bias");
    layer.norm1 = Norm(prefix + "norm1");
    layer.norm2 = Norm(prefix + "norm2");
    layer.edge_bias = Put(Values(prefix + "edge_bias"));
  }

  void ArrangeHead() {
    EncoderArrays& a = arranged_.arrays;
    if (!a.dot) {
      a.head1 = RelationProduct("head_weight1", "head_bias1",
                                "head_relation_embedding");
      a.head2 = Linear("head_weight2", "head_bias2");
      a.ends1 = RelationProduct("ends_weight1", "ends_bias1",
                                "ends_relation_embedding");
      a.ends2 = Linear("ends_weight2", "ends_bias2");
    } else if (options_.projection == Projection::kLinear) {
      a.projections = 1;
      a.project1 = Linear("head_weight", "head_bias");
    } else if (options_.projection == Projection::kFeedForward) {
      a.projections = 2;
      a.project1 = Linear("head_weight1", "head_bias1");
      a.project2 = Linear("head_weight2", "head_bias2");
    }
  }

  const NetworkWeights& weights_;
  const NetworkOptions& options_;
  ArrangedWeights arranged_;
};

}  // namespace

ArrangedWeights ArrangeWeights(const NetworkWeights& weights,
                               const NetworkOptions& options) {
  return Arranger(weights, options).Arrange();
}

}  // namespace slice
