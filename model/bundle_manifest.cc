// MANIFEST.json is one object. Every field of BundleManifest is a key of this
// object, except `reading` (OutputReading), whose fields are keys of the object
// themselves (model/reading_json.cc). Some values need an explanation:
//   context     an object of ContextOptions
//   members     a list of {path, size, sha256}
//   metrics     an object of numbers
//   folds       an object of TrainingFolds; the key is missing when they are
//   not
//               known, and warm_start when there was none
//   attributes  a list of {name, mean, deviation}; the key is missing when
//               there are none
//   live_graph  {graph_digest, graph_version}; the key is missing when the
//               bundle was trained from files
// Format version 3 adds what is known of single relations, and scorer_reason.
// A manifest that was read is written in its own format version, so that its
// bundle id stays true.
#include "model/bundle_manifest.h"

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "model/json_fields.h"
#include "model/reading_json.h"
#include "nlohmann/json.hpp"

namespace slice {
namespace {

using Json = nlohmann::json;

// The first format that holds what is known of single relations.
constexpr int kFirstFormatByRelation = 3;

// Reads a version, which must be from `oldest` to `newest`.
absl::Status ReadVersion(const Json& json, const char* field, int oldest,
                         int newest, int& version) {
  SLICE_RETURN_IF_ERROR(FieldReader(json).Read(field, version).status());
  if (oldest <= version && version <= newest) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "the bundle's ", field, " is ", version, "; this program, slice ",
      SLICE_VERSION, ", reads ",
      oldest < newest ? absl::StrCat(oldest, " to ") : "", newest, ". ",
      version > newest ? "A newer slice made the bundle: upgrade slice."
                       : "An older slice made the bundle: train it again "
                         "with this version."));
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

// Fields that are missing in bundles of older programs.
absl::Status ReadTraining(const Json& json, BundleManifest& manifest) {
  if (const auto folds = json.find("folds"); folds != json.end()) {
    SLICE_RETURN_IF_ERROR(FieldReader(*folds)
                              .Read("count", manifest.folds.count)
                              .Read("seed", manifest.folds.seed)
                              .status());
  }
  if (!json.contains("warm_start")) return absl::OkStatus();
  return FieldReader(json).Read("warm_start", manifest.warm_start).status();
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
  Json json = {{"format_version", m.format_version},
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
               {"metrics", m.metrics},
               {"members", members}};
  const bool by_relation = m.format_version >= kFirstFormatByRelation;
  AddReading(m.reading, m.relations, by_relation, json);
  if (by_relation) json["scorer_reason"] = m.scorer_reason;
  if (!m.attributes.empty()) json["attributes"] = ToJson(m.attributes);
  if (m.live_graph) {
    json["live_graph"] = {{"graph_digest", m.live_graph->graph_digest},
                          {"graph_version", m.live_graph->graph_version}};
  }
  if (m.folds.count > 0) {
    json["folds"] = {{"count", m.folds.count}, {"seed", m.folds.seed}};
  }
  if (!m.warm_start.empty()) json["warm_start"] = m.warm_start;
  return json.dump(2) + "\n";
}

absl::StatusOr<BundleManifest> ManifestFromJson(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) {
    return absl::DataLossError("MANIFEST.json is not a JSON object");
  }
  BundleManifest m;
  SLICE_RETURN_IF_ERROR(ReadVersion(json, "format_version",
                                    kOldestBundleFormatVersion,
                                    kBundleFormatVersion, m.format_version));
  SLICE_RETURN_IF_ERROR(ReadVersion(json, "contract_version",
                                    kModelContractVersion,
                                    kModelContractVersion, m.contract_version));
  Json context, members;
  std::string own_pair_links;
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
                            .Read("context", context)
                            .Read("contexts_per_link", m.contexts_per_link)
                            .Read("metrics", m.metrics)
                            .Read("members", members)
                            .status());
  SLICE_RETURN_IF_ERROR(ReadContext(context, m.relations, m.context));
  SLICE_ASSIGN_OR_RETURN(m.own_pair_links,
                         NamedValue(ParseOwnPairLinks(own_pair_links)));
  const bool by_relation = m.format_version >= kFirstFormatByRelation;
  SLICE_RETURN_IF_ERROR(ReadReading(json, m.relations, by_relation, m.reading));
  if (by_relation) {
    SLICE_RETURN_IF_ERROR(
        FieldReader(json).Read("scorer_reason", m.scorer_reason).status());
  }
  SLICE_RETURN_IF_ERROR(ReadMembers(members, m.members));
  SLICE_RETURN_IF_ERROR(ReadAttributes(json, m));
  if (const auto live = json.find("live_graph"); live != json.end()) {
    m.live_graph.emplace();
    SLICE_RETURN_IF_ERROR(
        FieldReader(*live)
            .Read("graph_digest", m.live_graph->graph_digest)
            .Read("graph_version", m.live_graph->graph_version)
            .status());
  }
  SLICE_RETURN_IF_ERROR(ReadTraining(json, m));
  return m;
}

}  // namespace slice
