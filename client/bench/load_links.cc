#include "client/bench/load_links.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/link_file.h"
#include "common/random.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr size_t kMaxNodes = 100'000;
constexpr size_t kMaxNeighbors = 1000;
constexpr size_t kLinksOfANode = 4;

size_t Below(Random* random, size_t bound) {
  return random->Below(static_cast<uint32_t>(bound));
}

LinkQuery ByKey(const std::string& source, const std::string& relation,
                const std::string& target) {
  return {{source, true}, relation, {target, true}};
}

using KeysOfTypes = std::map<std::string, std::vector<std::string>>;

// Appends up to kLinksOfANode links that start at `node`. Each is followed by
// its twin, which is the same link with another target of the same type.
absl::Status DrawLinksOf(const LinkClient& client, const NodeInfo& node,
                         const KeysOfTypes& keys, Random* random,
                         std::vector<LinkQuery>* links) {
  NeighborQuery query;
  query.node = {node.key, true};
  query.direction = ArcDirection::kOut;
  query.limit = kMaxNeighbors;
  SLICE_ASSIGN_OR_RETURN(FoundNeighbors found, client.GetNeighbors(query));
  std::vector<NeighborInfo>& neighbors = found.neighbors;
  for (size_t i = 0; i < std::min(kLinksOfANode, neighbors.size()); ++i) {
    std::swap(neighbors[i], neighbors[i + Below(random, neighbors.size() - i)]);
    const NeighborInfo& drawn = neighbors[i];
    links->push_back(ByKey(node.key, drawn.relation, drawn.node.key));
    const auto same_type = keys.find(drawn.node.type);
    if (same_type == keys.end()) continue;
    const std::vector<std::string>& others = same_type->second;
    links->push_back(
        ByKey(node.key, drawn.relation, others[Below(random, others.size())]));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<LinkQuery>> ReadLinks(const std::string& path,
                                                 bool exact_keys) {
  SLICE_ASSIGN_OR_RETURN(const LinkFile file, LinkFile::Read(path));
  std::vector<LinkQuery> links;
  links.reserve(file.lines().size());
  for (const LinkFile::Line& line : file.lines()) {
    links.push_back({{std::string(line.source), exact_keys},
                     std::string(line.relation),
                     {std::string(line.target), exact_keys}});
  }
  return links;
}

absl::StatusOr<std::vector<LinkQuery>> DrawLinks(const LinkClient& client,
                                                 size_t count, uint64_t seed) {
  FindQuery query;
  query.limit = kMaxNodes;
  SLICE_ASSIGN_OR_RETURN(const FoundNodes found, client.FindNodes(query));
  KeysOfTypes keys;
  for (const NodeInfo& node : found.nodes) keys[node.type].push_back(node.key);
  Random random(seed);
  std::vector<LinkQuery> links;
  // This many tries are enough if one node in ten has kLinksOfANode outgoing
  // links.
  const size_t tries = 1000 + 10 * count / (2 * kLinksOfANode);
  for (size_t i = 0; i < tries && links.size() < count; ++i) {
    if (found.nodes.empty()) break;
    const NodeInfo& node = found.nodes[Below(&random, found.nodes.size())];
    SLICE_RETURN_IF_ERROR(DrawLinksOf(client, node, keys, &random, &links));
  }
  if (links.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("no link could be drawn from the graph's ",
                     found.nodes.size(), " nodes; name a file with --links"));
  }
  links.resize(std::min(links.size(), count));
  return links;
}

}  // namespace slice
