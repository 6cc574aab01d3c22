#include "graphstore/graph_commands.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status_macros.h"
#include "graphstore/command_output.h"
#include "graphstore/graph_summary.h"
#include "graphstore/rocksdb_graph_store.h"
#include "graphstore/terminal_text.h"
#include "nlohmann/json.hpp"

namespace slice {
namespace {

using Json = nlohmann::ordered_json;

Json NodeJson(const GraphSnapshot& graph, NodeId node) {
  return {{"key", graph.Key(node)},
          {"name", graph.Name(node)},
          {"type", graph.TypeName(graph.Type(node))}};
}

Json StatsJson(const GraphSnapshot& graph, const GraphMetadata& metadata,
               const GraphSummary& summary) {
  Json json = {{"graph_digest", metadata.graph_digest},
               {"split_digest", metadata.split_digest},
               {"graph_version", metadata.graph_version},
               {"nodes", metadata.node_count},
               {"links", metadata.link_count},
               {"self_loops", summary.self_loops},
               {"unlinked_nodes", summary.unlinked_nodes},
               {"node_types", Json::array()},
               {"relations", Json::array()},
               {"degrees", Json::array()},
               {"hubs", Json::array()}};
  for (size_t i = 0; i < summary.type_nodes.size(); ++i) {
    json["node_types"].push_back(
        {{"type", graph.TypeName(i)}, {"nodes", summary.type_nodes[i]}});
  }
  for (size_t i = 0; i < summary.relations.size(); ++i) {
    json["relations"].push_back({{"relation", graph.RelationName(i)},
                                 {"links", summary.relations[i].links},
                                 {"sources", summary.relations[i].sources},
                                 {"targets", summary.relations[i].targets}});
  }
  for (const DegreeBucket& bucket : summary.degrees) {
    json["degrees"].push_back(
        {{"low", bucket.low}, {"high", bucket.high}, {"nodes", bucket.nodes}});
  }
  for (const Hub& hub : summary.hubs) {
    Json node = NodeJson(graph, hub.node);
    node["links"] = hub.links;
    json["hubs"].push_back(std::move(node));
  }
  return json;
}

std::string TypesTable(const GraphSnapshot& graph,
                       const GraphSummary& summary) {
  std::vector<std::vector<std::string>> rows = {{"type", ">nodes"}};
  for (size_t i = 0; i < summary.type_nodes.size(); ++i)
    rows.push_back({graph.TypeName(i), FormatCount(summary.type_nodes[i])});
  return FormatTable(rows);
}

std::string RelationsTable(const GraphSnapshot& graph,
                           const GraphSummary& summary) {
  std::vector<std::vector<std::string>> rows = {
      {"relation", ">links", ">sources", ">targets"}};
  for (size_t i = 0; i < summary.relations.size(); ++i) {
    const RelationSummary& relation = summary.relations[i];
    rows.push_back({graph.RelationName(i), FormatCount(relation.links),
                    FormatCount(relation.sources),
                    FormatCount(relation.targets)});
  }
  return FormatTable(rows);
}

std::string DegreesPicture(const GraphSummary& summary) {
  uint64_t most = 0;
  for (const DegreeBucket& bucket : summary.degrees)
    most = std::max(most, bucket.nodes);
  std::vector<std::vector<std::string>> rows = {
      {">links of a node", ">nodes", ""}};
  for (const DegreeBucket& bucket : summary.degrees) {
    rows.push_back({bucket.low == bucket.high
                        ? FormatCount(bucket.low)
                        : absl::StrCat(FormatCount(bucket.low), "-",
                                       FormatCount(bucket.high)),
                    FormatCount(bucket.nodes), FormatBar(bucket.nodes, most)});
  }
  return FormatTable(rows);
}

std::string HubsTable(const GraphSnapshot& graph, const GraphSummary& summary) {
  std::vector<std::vector<std::string>> rows = {
      {">links", "hub", "name", "type"}};
  for (const Hub& hub : summary.hubs) {
    rows.push_back({FormatCount(hub.links), graph.Key(hub.node),
                    graph.Name(hub.node),
                    graph.TypeName(graph.Type(hub.node))});
  }
  return FormatTable(rows);
}

// The relation asked for; nothing for all of them.
absl::StatusOr<std::optional<RelationId>> ResolveRelation(
    const GraphSnapshot& graph, const std::string& name) {
  if (name.empty()) return std::optional<RelationId>();
  const auto relation = graph.FindRelation(name);
  if (relation.has_value()) return relation;
  const auto& relations = graph.catalogue().relations;
  const auto nearest = NearestStrings(name, relations);
  return absl::NotFoundError(absl::StrCat(
      "no relation is called \"", name, "\"; ",
      nearest.empty()
          ? absl::StrCat("there is ", absl::StrJoin(relations, ", "))
          : absl::StrCat("did you mean \"", absl::StrJoin(nearest, "\" or \""),
                         "\"?")));
}

std::vector<Arc> SelectArcs(const GraphSnapshot& graph, NodeId node,
                            std::optional<RelationId> relation,
                            const std::string& direction) {
  std::vector<Arc> selected;
  for (Direction way : {Direction::kOut, Direction::kIn}) {
    if (!direction.empty() && (direction == "out") != (way == Direction::kOut))
      continue;
    const ArcSpan arcs = graph.Arcs(node, way);
    for (size_t i = 0; i < arcs.size(); ++i) {
      if (!relation.has_value() || arcs.relations[i] == *relation)
        selected.push_back({arcs.neighbors[i], arcs.relations[i], way});
    }
  }
  return selected;
}

const char* DirectionName(Direction direction) {
  return direction == Direction::kOut ? "out" : "in";
}

std::string NeighborsJson(const GraphSnapshot& graph, NodeId node,
                          const std::vector<Arc>& arcs, size_t limit) {
  Json json = {{"node", NodeJson(graph, node)},
               {"total", arcs.size()},
               {"neighbors", Json::array()}};
  for (size_t i = 0; i < std::min(limit, arcs.size()); ++i) {
    Json neighbor = {{"direction", DirectionName(arcs[i].direction)},
                     {"relation", graph.RelationName(arcs[i].relation)}};
    neighbor.update(NodeJson(graph, arcs[i].neighbor));
    json["neighbors"].push_back(std::move(neighbor));
  }
  return DumpJson(json);
}

std::string NeighborsTable(const GraphSnapshot& graph,
                           const std::vector<Arc>& arcs, size_t limit) {
  std::vector<std::vector<std::string>> rows = {
      {"", "relation", "key", "name", "type"}};
  for (size_t i = 0; i < std::min(limit, arcs.size()); ++i) {
    const NodeId neighbor = arcs[i].neighbor;
    rows.push_back({arcs[i].direction == Direction::kOut ? "->" : "<-",
                    graph.RelationName(arcs[i].relation), graph.Key(neighbor),
                    graph.Name(neighbor),
                    graph.TypeName(graph.Type(neighbor))});
  }
  std::string text = FormatTable(rows);
  if (arcs.size() > limit) {
    absl::StrAppend(&text, "  ... and ", FormatCount(arcs.size() - limit),
                    " more; --limit shows more\n");
  }
  return text;
}

}  // namespace

absl::Status RunStats(const StatsCommand& command, std::ostream& out) {
  SLICE_ASSIGN_OR_RETURN(const auto store, OpenGraphToRead(command.data_dir));
  SLICE_ASSIGN_OR_RETURN(const GraphMetadata metadata, store->Metadata());
  SLICE_ASSIGN_OR_RETURN(const auto graph, store->BuildSnapshot());
  const GraphSummary summary = SummarizeGraph(*graph);
  if (command.json) {
    out << DumpJson(StatsJson(*graph, metadata, summary));
    return absl::OkStatus();
  }
  out << FormatCount(metadata.node_count) << " nodes ("
      << FormatCount(summary.unlinked_nodes) << " without a link), "
      << FormatCount(metadata.link_count) << " links ("
      << FormatCount(summary.self_loops) << " self loops), graph version "
      << metadata.graph_version << "\ndigest " << metadata.graph_digest
      << "\n\n"
      << TypesTable(*graph, summary) << "\n"
      << RelationsTable(*graph, summary) << "\n"
      << DegreesPicture(summary) << "\n"
      << HubsTable(*graph, summary);
  return absl::OkStatus();
}

absl::Status RunVerify(const VerifyCommand& command, std::ostream& out) {
  SLICE_ASSIGN_OR_RETURN(const auto store, OpenGraphToRead(command.data_dir));
  SLICE_ASSIGN_OR_RETURN(const GraphVerification found, store->Verify());
  if (command.json) {
    out << DumpJson({{"ok", found.ok()},
                     {"nodes", found.nodes},
                     {"links", found.links},
                     {"names", found.names},
                     {"graph_digest", found.graph_digest},
                     {"problem_count", found.problem_count},
                     {"problems", found.problems}});
  } else if (found.ok()) {
    out << "ok: " << FormatCount(found.nodes) << " nodes, "
        << FormatCount(found.links) << " links at both ends, "
        << FormatCount(found.names) << " names, digest " << found.graph_digest
        << "\n";
  } else {
    for (const std::string& problem : found.problems) out << problem << "\n";
    if (found.problem_count > found.problems.size()) {
      out << "... and "
          << FormatCount(found.problem_count - found.problems.size())
          << " more\n";
    }
  }
  if (found.ok()) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat(command.data_dir.string(), " has ", found.problem_count,
                   found.problem_count == 1 ? " problem" : " problems",
                   "; import the graph again"));
}

absl::Status RunNeighbors(const NeighborsCommand& command, std::ostream& out) {
  SLICE_ASSIGN_OR_RETURN(const auto store, OpenGraphToRead(command.data_dir));
  SLICE_ASSIGN_OR_RETURN(const auto graph, store->BuildSnapshot());
  SLICE_ASSIGN_OR_RETURN(const NodeId node,
                         graph->names().Resolve(command.node, command.type));
  SLICE_ASSIGN_OR_RETURN(const auto relation,
                         ResolveRelation(*graph, command.relation));
  const std::vector<Arc> arcs =
      SelectArcs(*graph, node, relation, command.direction);
  if (command.json) {
    out << NeighborsJson(*graph, node, arcs, command.limit);
    return absl::OkStatus();
  }
  out << graph->Key(node);
  if (graph->Name(node) != graph->Key(node)) out << "  " << graph->Name(node);
  out << "  (" << graph->TypeName(graph->Type(node)) << "), "
      << FormatCount(arcs.size())
      << (arcs.size() == 1 ? " link\n" : " links\n");
  if (!arcs.empty()) out << NeighborsTable(*graph, arcs, command.limit);
  return absl::OkStatus();
}

}  // namespace slice
