#include "tests/testing/random_multigraph.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/random.h"

namespace slice {
namespace {

Link DrawLink(const RandomMultigraphOptions& options,
              const std::vector<Link>& earlier, Random* random) {
  const auto node = [&] {
    return random->Below(
        static_cast<uint32_t>(options.nodes - options.isolated));
  };
  const auto relation = [&] {
    return static_cast<RelationId>(
        random->Below(static_cast<uint32_t>(options.relations)));
  };
  if (!earlier.empty()) {
    const Link& link =
        earlier[random->Below(static_cast<uint32_t>(earlier.size()))];
    double draw = random->Uniform();
    if (draw < options.repeat_rate) return link;
    draw -= options.repeat_rate;
    if (draw < options.parallel_rate)
      return {link.source, relation(), link.target};
    draw -= options.parallel_rate;
    if (draw < options.reverse_rate)
      return {link.target, relation(), link.source};
  }
  Link link{node(), relation(), node()};
  if (random->Uniform() < options.self_loop_rate) link.target = link.source;
  if (options.hubs > 0 && random->Uniform() < options.hub_rate) {
    const NodeId hub = random->Below(static_cast<uint32_t>(options.hubs));
    (random->Below(2) == 0 ? link.source : link.target) = hub;
  }
  return link;
}

}  // namespace

GraphData RandomMultigraph(const RandomMultigraphOptions& options,
                           uint64_t seed) {
  Random random(seed);
  GraphData data;
  for (size_t type = 0; type < options.node_types; ++type)
    data.catalogue.node_types.push_back(absl::StrCat("type", type));
  for (size_t relation = 0; relation < options.relations; ++relation)
    data.catalogue.relations.push_back(absl::StrCat("relation", relation));
  for (size_t node = 0; node < options.nodes; ++node) {
    data.catalogue.nodes.push_back(
        {absl::StrCat("n", node), absl::StrCat("Node ", node / 2),
         static_cast<NodeTypeId>(
             random.Below(static_cast<uint32_t>(options.node_types)))});
  }
  for (size_t i = 0; i < options.links; ++i)
    data.links.push_back(DrawLink(options, data.links, &random));
  if (!options.weighted) return data;
  for (size_t i = 0; i < data.links.size(); ++i)
    data.weights.push_back(static_cast<float>(0.1 + random.Uniform() * 3));
  return data;
}

GraphData RebuildWithout(const GraphData& data,
                         const std::function<bool(const Link&)>& hidden) {
  GraphData rebuilt = data;
  EraseLinks(&rebuilt, hidden);
  return rebuilt;
}

std::shared_ptr<const GraphSnapshot> BuildSnapshotOrDie(const GraphData& data) {
  auto snapshot = GraphSnapshot::Build(data);
  if (!snapshot.ok()) {
    std::fprintf(stderr, "%s\n", snapshot.status().ToString().c_str());
    std::abort();
  }
  return *std::move(snapshot);
}

}  // namespace slice
