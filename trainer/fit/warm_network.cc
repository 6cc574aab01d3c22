// A parameter is copied along two dimensions: for each of its rows and columns
// there is a place in the older parameter, or none. Most parameters have the
// same rows and columns in both networks. Those that belong to relations, to
// signed relations or to pair features (model/torch/network_definition.cc) are
// matched by name.
#include "trainer/fit/warm_network.h"

#include <ATen/TensorAccessor.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "graphstore/types.h"
#include "model/torch/torch_status.h"

namespace slice {
namespace {

constexpr int64_t kNowhere = -1;
// For each new position, the position in the older parameter, or kNowhere.
using Places = std::vector<int64_t>;

Places PlacesOf(const std::vector<std::string>& names,
                const std::vector<std::string>& older) {
  Places places;
  for (const std::string& name : names) {
    const auto at = std::find(older.begin(), older.end(), name);
    places.push_back(at == older.end() ? kNowhere : at - older.begin());
  }
  return places;
}

// Rows -R .. R of a parameter with a row for each signed relation; row 0 is for
// no relation.
Places SignedPlaces(const Places& relations, int64_t older_count) {
  const auto count = static_cast<int64_t>(relations.size());
  Places places(2 * count + 1, kNowhere);
  places[count] = older_count;
  for (int64_t r = 0; r < count; ++r) {
    if (relations[r] == kNowhere) continue;
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      places[count + SignedRelation(static_cast<RelationId>(r), direction)] =
          older_count +
          SignedRelation(static_cast<RelationId>(relations[r]), direction);
    }
  }
  return places;
}

// `places` again and again, for a parameter of `blocks` blocks of rows.
Places Repeat(const Places& places, int64_t older_size, int blocks) {
  Places all;
  for (int block = 0; block < blocks; ++block) {
    for (const int64_t place : places) {
      all.push_back(place == kNowhere ? kNowhere : block * older_size + place);
    }
  }
  return all;
}

Places Same(int64_t size) {
  Places places(size);
  std::iota(places.begin(), places.end(), int64_t{0});
  return places;
}

class ParameterCopier {
 public:
  ParameterCopier(const NetworkNames& older, const NetworkNames& names)
      : older_relations_(static_cast<int64_t>(older.relations.size())),
        older_features_(static_cast<int64_t>(older.pair_features.size())),
        relations_(PlacesOf(names.relations, older.relations)),
        signed_(SignedPlaces(relations_, older_relations_)),
        features_(PlacesOf(names.pair_features, older.pair_features)) {}

  absl::Status Copy(const std::string& name, const at::Tensor& from,
                    at::Tensor to) const {
    const Places rows = Rows(name, to);
    const Places columns = to.dim() < 2 ? Places{0} : Columns(name, to);
    if (from.dim() != to.dim() || to.dim() < 1 || to.dim() > 2 ||
        !Fits(rows, OlderRows(name, to), from.size(0)) ||
        (to.dim() == 2 &&
         !Fits(columns, OlderColumns(name, to), from.size(1)))) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the network of --warm-start has ", name, " of the size ",
          absl::StrJoin(from.sizes(), " x "), ", and this training of ",
          absl::StrJoin(to.sizes(), " x "),
          "; give the flags of the network that the older bundle was trained "
          "with, or leave --warm-start out"));
    }
    const at::Tensor source = from.dim() == 2 ? from : from.unsqueeze(1);
    at::Tensor target = to.dim() == 2 ? to : to.unsqueeze(1);
    const auto old_value = source.accessor<float, 2>();
    auto value = target.accessor<float, 2>();
    for (size_t r = 0; r < rows.size(); ++r) {
      for (size_t c = 0; c < columns.size(); ++c) {
        if (rows[r] == kNowhere || columns[c] == kNowhere) continue;
        value[static_cast<int64_t>(r)][static_cast<int64_t>(c)] =
            old_value[rows[r]][columns[c]];
      }
    }
    return absl::OkStatus();
  }

 private:
  static bool IsSigned(std::string_view name) {
    return name.ends_with("_edge_bias") || name == "gcn_relation_embedding";
  }
  static bool IsByRelation(std::string_view name) {
    return name == "relation_scale" || name == "relation_shift" ||
           name == "structural_relation_embedding" ||
           name == "head_relation_embedding" ||
           name == "ends_relation_embedding";
  }
  static bool IsByFeature(std::string_view name) {
    return name == "structural_weight1";
  }

  Places Rows(std::string_view name, const at::Tensor& to) const {
    if (IsSigned(name)) return signed_;
    if (name == "token_relation_embedding") {
      return Repeat(signed_, 2 * older_relations_ + 1, kTokenRelations);
    }
    return IsByRelation(name) ? relations_ : Same(to.size(0));
  }
  int64_t OlderRows(std::string_view name, const at::Tensor& to) const {
    if (IsSigned(name)) return 2 * older_relations_ + 1;
    if (name == "token_relation_embedding") {
      return kTokenRelations * (2 * older_relations_ + 1);
    }
    return IsByRelation(name) ? older_relations_ : to.size(0);
  }

  // The pair features come first, then the vector of the relation.
  Places Columns(std::string_view name, const at::Tensor& to) const {
    if (!IsByFeature(name)) return Same(to.size(1));
    Places places = features_;
    const int64_t others = to.size(1) - static_cast<int64_t>(places.size());
    for (int64_t i = 0; i < others; ++i) places.push_back(older_features_ + i);
    return places;
  }
  int64_t OlderColumns(std::string_view name, const at::Tensor& to) const {
    if (!IsByFeature(name)) return to.size(1);
    return older_features_ + to.size(1) -
           static_cast<int64_t>(features_.size());
  }

  static bool Fits(const Places& places, int64_t expected, int64_t size) {
    return expected == size &&
           std::all_of(places.begin(), places.end(),
                       [size](int64_t place) { return place < size; });
  }

  static constexpr int kTokenRelations = 3;  // of one token

  const int64_t older_relations_, older_features_;
  const Places relations_, signed_, features_;
};

}  // namespace

NetworkNames NamesFor(std::vector<std::string> relations,
                      const std::vector<std::string>& node_types,
                      const std::vector<std::string>& pair_features,
                      const std::vector<AttributeColumn>& attributes) {
  NetworkNames names;
  for (const std::string& feature : pair_features) {
    const size_t dot = feature.rfind('.') + 1;  // 0 without a dot
    size_t number = 0;
    if (!absl::SimpleAtoi(feature.substr(dot), &number)) {
      names.pair_features.push_back(feature);
      continue;
    }
    const auto& of = feature.starts_with("type.") ? node_types : relations;
    names.pair_features.push_back(
        absl::StrCat(feature.substr(0, dot), of[number]));
  }
  for (const AttributeColumn& column : attributes) {
    names.attributes.push_back(column.name);
  }
  names.relations = std::move(relations);
  return names;
}

NetworkNames NamesOf(const BundleManifest& manifest) {
  return NamesFor(manifest.relations, manifest.node_types,
                  manifest.pair_features, manifest.attributes);
}

absl::Status CopyParameters(const torch::jit::Module& older,
                            const NetworkNames& older_names,
                            const NetworkNames& names,
                            torch::jit::Module* network) {
  if (older_names.attributes != names.attributes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the bundle of --warm-start has the attributes '",
        absl::StrJoin(older_names.attributes, ","), "', and this training '",
        absl::StrJoin(names.attributes, ","),
        "'; give the same attributes in the same order, or leave --warm-start "
        "out"));
  }
  const ParameterCopier copier(older_names, names);
  return CatchTorchErrors([&]() -> absl::Status {
    const at::NoGradGuard no_gradients;
    for (const auto& parameter : network->named_parameters()) {
      if (!older.hasattr(parameter.name)) {
        return absl::InvalidArgumentError(absl::StrCat(
            "the network of --warm-start has no ", parameter.name,
            "; give the flags of the network that the older bundle was trained "
            "with, or leave --warm-start out"));
      }
      const absl::Status copied =
          copier.Copy(parameter.name, older.attr(parameter.name).toTensor(),
                      parameter.value);
      if (!copied.ok()) return copied;
    }
    return absl::OkStatus();
  });
}

}  // namespace slice
