#include "tests/testing/toy_graph.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

constexpr NodeTypeId kPackage = 0;
constexpr NodeTypeId kTeam = 1;
constexpr NodeTypeId kTag = 2;

struct NamedLink {
  std::string_view relation, source, target;
};

constexpr NamedLink kLinks[] = {
    {"depends", "curl", "libcurl4"},
    {"depends", "curl", "libssl3"},
    {"depends", "libcurl4", "libssl3"},
    {"depends", "libcurl4-dev", "libcurl4"},
    {"depends", "libssl-dev", "libssl3"},
    {"depends", "openssl", "libssl3"},
    {"recommends", "curl", "libssl3"},
    {"recommends", "firefox", "libssl3"},
    {"suggests", "privoxy", "privoxy"},
    {"enhances", "privoxy", "firefox"},
    {"enhances", "libssl3", "libcurl4"},
    {"maintained-by", "curl", "web:team"},
    {"maintained-by", "libcurl4", "web:team"},
    {"tagged", "libcurl4-dev", "role::devel-lib"},
    {"tagged", "libssl-dev", "role::devel-lib"},
    {"tagged", "firefox", "web::browser"},
};

template <typename Id>
Id PositionOrDie(const std::vector<std::string>& texts, std::string_view text) {
  const auto found = std::find(texts.begin(), texts.end(), text);
  if (found == texts.end()) {
    std::fprintf(stderr, "the toy graph has no %s\n",
                 std::string(text).c_str());
    std::abort();
  }
  return static_cast<Id>(found - texts.begin());
}

}  // namespace

GraphData ToyGraph() {
  GraphData data;
  GraphCatalogue& catalogue = data.catalogue;
  catalogue.node_types = {"package", "team", "tag"};
  catalogue.relations = {"depends",  "recommends",    "suggests",
                         "enhances", "maintained-by", "tagged"};
  catalogue.nodes = {
      {"curl", "curl", kPackage},
      {"libcurl4", "libcurl4", kPackage},
      {"libcurl4-dev", "libcurl4-dev", kPackage},
      {"libssl3", "TLS library", kPackage},
      {"libssl-dev", "libssl-dev", kPackage},
      {"openssl", "OpenSSL", kPackage},
      {"openssl:i386", "OpenSSL", kPackage},
      {"firefox", "firefox", kPackage},
      {"privoxy", "privoxy", kPackage},
      {"lonely", "lonely", kPackage},
      {"web:team", "Web Team", kTeam},
      {"role::devel-lib", "role::devel-lib", kTag},
      {"web::browser", "web::browser", kTag},
  };
  std::vector<std::string> keys;
  for (const NodeRecord& node : catalogue.nodes) keys.push_back(node.key);
  for (const NamedLink& link : kLinks) {
    data.links.push_back(
        {PositionOrDie<NodeId>(keys, link.source),
         PositionOrDie<RelationId>(catalogue.relations, link.relation),
         PositionOrDie<NodeId>(keys, link.target)});
  }
  return data;
}

std::shared_ptr<const GraphSnapshot> ToySnapshot() {
  return BuildSnapshotOrDie(ToyGraph());
}

NodeId ToyNode(const GraphSnapshot& snapshot, std::string_view key) {
  const auto node = snapshot.names().FindKey(key);
  if (!node.has_value()) {
    std::fprintf(stderr, "the toy graph has no %s\n", std::string(key).c_str());
    std::abort();
  }
  return *node;
}

RelationId ToyRelation(const GraphSnapshot& snapshot, std::string_view name) {
  return PositionOrDie<RelationId>(snapshot.relations(), name);
}

Link ToyLink(const GraphSnapshot& snapshot, std::string_view source,
             std::string_view relation, std::string_view target) {
  return {ToyNode(snapshot, source), ToyRelation(snapshot, relation),
          ToyNode(snapshot, target)};
}

}  // namespace slice
