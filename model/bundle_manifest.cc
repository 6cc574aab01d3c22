// MANIFEST.json, format version 2, is one object. Every field of BundleManifest
// is a key of this object, except `reading` (OutputReading), whose fields are
// keys of the object themselves. Some values need an explanation:
//   scorer, context_pooling   names
//   calibration               an object with a key for each question; each
//                             value has `temperature` and `decision_threshold`
//   rule_weights              an object with the keys `target` and `source`,
//                             the end that is asked for; each value has `rules`
//                             and `constants`
//   context                   an object of ContextOptions
//   members                   a list of {path, size, sha256}
//   metrics                   an object of numbers
//   attributes                a list of {name, mean, deviation}; the key is
//                             missing when there are none
#include "model/bundle_manifest.h"

#include <array>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "nlohmann/json.hpp"

namespace slice {
namespace {

using Json = nlohmann::json;

// Reads fields of an object one after the other; keeps the first error.
class FieldReader {
 public:
  explicit FieldReader(const Json& object) : object_(object) {}

  template <typename T>
  FieldReader& Read(const char* name, T& value) {
    if (!status_.ok()) return *this;
    const auto found = object_.find(name);
    if (found == object_.end()) {
      status_ = absl::DataLossError(
          absl::StrCat("MANIFEST.json lacks the field '", name, "'"));
      return *this;
    }
    try {
      found->get_to(value);
    } catch (const Json::exception&) {
      status_ = absl::DataLossError(absl::StrCat("MANIFEST.json: the field '",
                                                 name, "' has the wrong type"));
    }
    return *this;
  }
  absl::Status status() const { return status_; }

 private:
  const Json& object_;
  absl::Status status_;
};

absl::Status CheckVersion(const Json& json, const char* field, int expected) {
  int version = 0;
  SLICE_RETURN_IF_ERROR(FieldReader(json).Read(field, version).status());
  if (version == expected) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "the bundle's ", field, " is ", version, "; this program, slice ",
      SLICE_VERSION, ", reads ", expected, ". ",
      version > expected ? "A newer slice made the bundle: upgrade slice."
                         : "An older slice made the bundle: train it again "
                           "with this version."));
}

// A name of the manifest as a value. An error tells which file is at fault.
template <typename Value>
absl::StatusOr<Value> NamedValue(absl::StatusOr<Value> parsed) {
  if (parsed.ok()) return parsed;
  return absl::DataLossError(
      absl::StrCat("MANIFEST.json: ", parsed.status().message()));
}

absl::Status ReadContext(const Json& json,
                         const std::vector<std::string>& relations,
                         ContextOptions& context) {
  std::string strategy;
  std::vector<std::string> metapaths;
  SLICE_RETURN_IF_ERROR(
      FieldReader(json)
          .Read("strategy", strategy)
          .Read("max_nodes", context.max_nodes)
          .Read("max_hops", context.max_hops)
          .Read("max_degree", context.max_degree)
          .Read("max_expanded_arcs", context.max_expanded_arcs)
          .Read("beam_width", context.beam_width)
          .Read("metapaths", metapaths)
          .status());
  SLICE_ASSIGN_OR_RETURN(context.strategy,
                         NamedValue(ParseContextStrategy(strategy)));
  for (const std::string& text : metapaths) {
    SLICE_ASSIGN_OR_RETURN(Metapath metapath,
                           NamedValue(ParseMetapath(text, relations)));
    context.metapaths.push_back(std::move(metapath));
  }
  const absl::Status valid = context.Validate();
  if (valid.ok()) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("MANIFEST.json: ", valid.message()));
}

absl::Status ReadMembers(const Json& json, std::vector<BundleMember>& members) {
  for (const Json& entry : json) {
    BundleMember member;
    SLICE_RETURN_IF_ERROR(FieldReader(entry)
                              .Read("path", member.path)
                              .Read("size", member.size)
                              .Read("sha256", member.sha256)
                              .status());
    members.push_back(std::move(member));
  }
  return absl::OkStatus();
}

Json ContextToJson(const ContextOptions& context,
                   const std::vector<std::string>& relations) {
  Json metapaths = Json::array();
  for (const Metapath& metapath : context.metapaths) {
    metapaths.push_back(FormatMetapath(metapath, relations));
  }
  return {{"strategy", std::string(ContextStrategyName(context.strategy))},
          {"max_nodes", context.max_nodes},
          {"max_hops", context.max_hops},
          {"max_degree", context.max_degree},
          {"max_expanded_arcs", context.max_expanded_arcs},
          {"beam_width", context.beam_width},
          {"metapaths", metapaths}};
}

Json ToJson(const std::vector<AttributeColumn>& columns) {
  Json list = Json::array();
  for (const AttributeColumn& column : columns) {
    list.push_back({{"name", column.name},
                    {"mean", column.mean},
                    {"deviation", column.deviation}});
  }
  return list;
}

// The field is missing when the bundle has no attributes.
absl::Status ReadAttributes(const Json& json, BundleManifest& manifest) {
  const auto list = json.find("attributes");
  if (list == json.end()) return absl::OkStatus();
  for (const Json& entry : *list) {
    AttributeColumn column;
    SLICE_RETURN_IF_ERROR(FieldReader(entry)
                              .Read("name", column.name)
                              .Read("mean", column.mean)
                              .Read("deviation", column.deviation)
                              .status());
    manifest.attributes.push_back(std::move(column));
  }
  if (static_cast<int>(manifest.attributes.size()) < manifest.embedding_dim)
    return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat("MANIFEST.json lists ", manifest.attributes.size(),
                   " attributes; there must be fewer than the ",
                   manifest.embedding_dim, " columns of the embeddings"));
}

Json CalibrationToJson(const OutputReading& reading) {
  Json json = Json::object();
  for (int i = 0; i < kQuestions; ++i) {
    const Calibration& calibration = reading.calibrations[i];
    json[std::string(QuestionName(static_cast<Question>(i)))] = {
        {"temperature", calibration.temperature},
        {"decision_threshold", calibration.threshold}};
  }
  return json;
}

absl::Status ReadCalibration(const Json& json, OutputReading& reading) {
  for (int i = 0; i < kQuestions; ++i) {
    const std::string name(QuestionName(static_cast<Question>(i)));
    Json one;
    SLICE_RETURN_IF_ERROR(FieldReader(json).Read(name.c_str(), one).status());
    Calibration& calibration = reading.calibrations[i];
    SLICE_RETURN_IF_ERROR(FieldReader(one)
                              .Read("temperature", calibration.temperature)
                              .Read("decision_threshold", calibration.threshold)
                              .status());
  }
  return absl::OkStatus();
}

// The end that is asked for, by the direction of the question.
constexpr std::array kAsked = {"target", "source"};

Json RuleWeightsToJson(const OutputReading& reading) {
  Json json = Json::object();
  for (size_t i = 0; i < kAsked.size(); ++i) {
    const RuleWeights& weights = reading.rule_weights[i];
    json[kAsked[i]] = {{"rules", weights.rules},
                       {"constants", weights.constants}};
  }
  return json;
}

absl::Status ReadRuleWeights(const Json& json, OutputReading& reading) {
  for (size_t i = 0; i < kAsked.size(); ++i) {
    Json one;
    SLICE_RETURN_IF_ERROR(FieldReader(json).Read(kAsked[i], one).status());
    SLICE_RETURN_IF_ERROR(
        FieldReader(one)
            .Read("rules", reading.rule_weights[i].rules)
            .Read("constants", reading.rule_weights[i].constants)
            .status());
  }
  return absl::OkStatus();
}

}  // namespace

LinkEncoderOptions BundleManifest::EncoderOptions() const {
  LinkEncoderOptions options;
  options.context = context;
  options.contexts_per_link = contexts_per_link;
  options.own_pair_links = own_pair_links;
  options.use_pair_features = !pair_features.empty();
  options.seed = seed;
  return options;
}

BundleManifest ManifestOf(const GraphCatalogue& catalogue,
                          const NetworkOptions& network) {
  BundleManifest manifest;
  manifest.node_count = catalogue.nodes.size();
  manifest.embedding_dim = network.embedding_dim;
  manifest.layers = network.layers;
  manifest.heads = network.heads;
  manifest.hidden_dim = network.hidden_dim;
  manifest.relations = catalogue.relations;
  manifest.node_types = catalogue.node_types;
  manifest.token_features = TokenFeatureNames();
  manifest.outputs = OutputNames();
  return manifest;
}

std::string ManifestToJson(const BundleManifest& m) {
  Json members = Json::array();
  for (const BundleMember& member : m.members) {
    members.push_back({{"path", member.path},
                       {"size", member.size},
                       {"sha256", member.sha256}});
  }
  const Json json = {
      {"format_version", m.format_version},
      {"contract_version", m.contract_version},
      {"bundle_id", m.bundle_id},
      {"preset", m.preset},
      {"created", m.created},
      {"seed", m.seed},
      {"node_count", m.node_count},
      {"embedding_dim", m.embedding_dim},
      {"layers", m.layers},
      {"heads", m.heads},
      {"hidden_dim", m.hidden_dim},
      {"relations", m.relations},
      {"node_types", m.node_types},
      {"token_features", m.token_features},
      {"pair_features", m.pair_features},
      {"outputs", m.outputs},
      {"graph_digest", m.graph_digest},
      {"split_digest", m.split_digest},
      {"own_pair_links", OwnPairLinksName(m.own_pair_links)},
      {"leaky", m.leaky},
      {"context", ContextToJson(m.context, m.relations)},
      {"contexts_per_link", m.contexts_per_link},
      {"scorer", std::string(ScorerName(m.reading.scorer))},
      {"context_pooling", std::string(ContextPoolingName(m.reading.pooling))},
      {"rule_weights", RuleWeightsToJson(m.reading)},
      {"calibration", CalibrationToJson(m.reading)},
      {"metrics", m.metrics},
      {"members", members}};
  if (m.attributes.empty()) return json.dump(2) + "\n";
  Json with_attributes = json;
  with_attributes["attributes"] = ToJson(m.attributes);
  return with_attributes.dump(2) + "\n";
}

absl::StatusOr<BundleManifest> ManifestFromJson(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) {
    return absl::DataLossError("MANIFEST.json is not a JSON object");
  }
  SLICE_RETURN_IF_ERROR(
      CheckVersion(json, "format_version", kBundleFormatVersion));
  SLICE_RETURN_IF_ERROR(
      CheckVersion(json, "contract_version", kModelContractVersion));
  BundleManifest m;
  Json context, members, calibration, rule_weights;
  std::string own_pair_links, scorer, pooling;
  SLICE_RETURN_IF_ERROR(FieldReader(json)
                            .Read("bundle_id", m.bundle_id)
                            .Read("preset", m.preset)
                            .Read("created", m.created)
                            .Read("seed", m.seed)
                            .Read("node_count", m.node_count)
                            .Read("embedding_dim", m.embedding_dim)
                            .Read("layers", m.layers)
                            .Read("heads", m.heads)
                            .Read("hidden_dim", m.hidden_dim)
                            .Read("relations", m.relations)
                            .Read("node_types", m.node_types)
                            .Read("token_features", m.token_features)
                            .Read("pair_features", m.pair_features)
                            .Read("outputs", m.outputs)
                            .Read("graph_digest", m.graph_digest)
                            .Read("split_digest", m.split_digest)
                            .Read("own_pair_links", own_pair_links)
                            .Read("leaky", m.leaky)
                            .Read("context_pooling", pooling)
                            .Read("context", context)
                            .Read("contexts_per_link", m.contexts_per_link)
                            .Read("scorer", scorer)
                            .Read("rule_weights", rule_weights)
                            .Read("calibration", calibration)
                            .Read("metrics", m.metrics)
                            .Read("members", members)
                            .status());
  SLICE_RETURN_IF_ERROR(ReadContext(context, m.relations, m.context));
  SLICE_ASSIGN_OR_RETURN(m.own_pair_links,
                         NamedValue(ParseOwnPairLinks(own_pair_links)));
  SLICE_ASSIGN_OR_RETURN(m.reading.scorer, NamedValue(ParseScorer(scorer)));
  SLICE_ASSIGN_OR_RETURN(m.reading.pooling,
                         NamedValue(ParseContextPooling(pooling)));
  SLICE_RETURN_IF_ERROR(ReadCalibration(calibration, m.reading));
  SLICE_RETURN_IF_ERROR(ReadRuleWeights(rule_weights, m.reading));
  SLICE_RETURN_IF_ERROR(ReadMembers(members, m.members));
  SLICE_RETURN_IF_ERROR(ReadAttributes(json, m));
  return m;
}

}  // namespace slice
