#include "trainer/statistics/schema_prior.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace slice {
namespace {

constexpr double kImaginedLinks = 1;

// What train shows of one relation.
struct Counts {
  std::array<std::vector<uint64_t>, 2> types;  // links by type of end, by place
  uint64_t targets = 0;  // nodes with an incoming link of the relation
  uint64_t alone = 0;    // links that would be off schema if they were hidden
};

std::vector<Counts> CountTypes(const GraphSnapshot& snapshot) {
  std::vector<Counts> counts(snapshot.relation_count());
  for (Counts& one : counts) {
    one.types.fill(std::vector<uint64_t>(snapshot.node_type_count(), 0));
  }
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    for (const Direction place : {Direction::kOut, Direction::kIn}) {
      snapshot.ForEachSlot(
          node, place, [&](RelationId relation, std::span<const NodeId> ends) {
            counts[relation]
                .types[static_cast<int>(place)][snapshot.Type(node)] +=
                ends.size();
            counts[relation].targets += place == Direction::kIn;
          });
    }
  }
  return counts;
}

// Counts the links with an end whose type no other link has in that place.
void CountAlone(const GraphSnapshot& snapshot, std::vector<Counts>& counts) {
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    const ArcSpan arcs = snapshot.Arcs(node, Direction::kOut);
    for (size_t i = 0; i < arcs.size(); ++i) {
      Counts& relation = counts[arcs.relations[i]];
      relation.alone +=
          relation.types[0][snapshot.Type(node)] == 1 ||
          relation.types[1][snapshot.Type(arcs.neighbors[i])] == 1;
    }
  }
}

// The share of all pairs of nodes that are off schema for the relation.
double OffSchemaShare(const GraphSnapshot& snapshot, const Counts& relation,
                      const std::vector<uint64_t>& nodes_of_type) {
  double fits = 1;
  for (const std::vector<uint64_t>& links : relation.types) {
    double nodes = 0;
    for (size_t type = 0; type < links.size(); ++type) {
      if (links[type] > 0) nodes += static_cast<double>(nodes_of_type[type]);
    }
    fits *= nodes / static_cast<double>(snapshot.node_count());
  }
  return 1 - fits;
}

// log(seen / at_random), where `seen` is a share of `links`, shrunk.
double LogFactor(double cases, double links, double share_of_all,
                 double at_random) {
  if (at_random <= 0) return 0;
  const double share =
      (cases + kImaginedLinks * share_of_all) / (links + kImaginedLinks);
  return std::min(0.0, std::log(share / at_random));
}

}  // namespace

std::vector<SchemaPrior> FitSchemaPriors(const GraphSnapshot& snapshot) {
  const RelationSchema& schema = snapshot.schema();
  std::vector<Counts> counts = CountTypes(snapshot);
  CountAlone(snapshot, counts);
  std::vector<uint64_t> nodes_of_type(snapshot.node_type_count(), 0);
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    ++nodes_of_type[snapshot.Type(node)];
  }
  double loops = 0.5, alone = 0.5;
  for (size_t r = 0; r < counts.size(); ++r) {
    loops += static_cast<double>(schema.self_loops(static_cast<RelationId>(r)));
    alone += static_cast<double>(counts[r].alone);
  }
  const double all = static_cast<double>(snapshot.link_count()) + 1;
  std::vector<SchemaPrior> priors(counts.size());
  for (size_t r = 0; r < counts.size(); ++r) {
    const auto relation = static_cast<RelationId>(r);
    const auto links = static_cast<double>(schema.links(relation));
    if (links == 0) continue;
    if (schema.self_loops(relation) == 0) {
      priors[r].self = LogFactor(0, links, loops / all,
                                 1 / static_cast<double>(counts[r].targets));
    }
    if (!schema.typed()) continue;
    priors[r].off_schema =
        LogFactor(static_cast<double>(counts[r].alone), links, alone / all,
                  OffSchemaShare(snapshot, counts[r], nodes_of_type));
  }
  return priors;
}

}  // namespace slice
