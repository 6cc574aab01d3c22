// Finds the node by key, name or type:name, selects its arcs by relation and
// direction, and prints the first ones as a table or as JSON. JSON and the
// table have the same order: first outgoing arcs, then incoming ones.
#include "graphstore/commands/graph_neighbors_command.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/status_macros.h"
#include "common/thousands.h"
#include "graphstore/command_output.h"
#include "graphstore/commands/graph_flags.h"
#include "graphstore/name_resolver.h"
#include "graphstore/store_directory.h"
#include "graphstore/terminal_text.h"
#include "nlohmann/json.hpp"

namespace slice {
namespace {

using Json = nlohmann::ordered_json;

struct NeighborsOptions {
  std::filesystem::path data_dir;
  std::string node;       // key, name or type:name
  std::string type;       // empty: any
  std::string relation;   // empty: all
  std::string direction;  // "out", "in", or empty for both
  size_t limit = 50;
  std::optional<uint64_t> version;
  bool json = false;
};

Json NodeJson(const GraphSnapshot& graph, NodeId node) {
  return {{"key", graph.Key(node)},
          {"name", graph.Name(node)},
          {"type", graph.TypeName(graph.Type(node))}};
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
    absl::StrAppend(&text, "  ... and ", FormatThousands(arcs.size() - limit),
                    " more; --limit shows more\n");
  }
  return text;
}

absl::Status RunNeighbors(const NeighborsOptions& options, std::ostream& out) {
  SLICE_ASSIGN_OR_RETURN(const auto store, OpenGraphToRead(options.data_dir));
  SLICE_ASSIGN_OR_RETURN(const auto graph, store->GraphAt(options.version));
  SLICE_ASSIGN_OR_RETURN(const NodeId node,
                         ResolveKeyOrName(*graph, options.node, options.type));
  std::optional<RelationId> relation;
  if (!options.relation.empty()) {
    SLICE_ASSIGN_OR_RETURN(relation, ResolveRelation(*graph, options.relation));
  }
  const std::vector<Arc> arcs =
      SelectArcs(*graph, node, relation, options.direction);
  if (options.json) {
    out << NeighborsJson(*graph, node, arcs, options.limit);
    return absl::OkStatus();
  }
  out << graph->Key(node);
  if (graph->Name(node) != graph->Key(node)) out << "  " << graph->Name(node);
  out << "  (" << graph->TypeName(graph->Type(node)) << "), "
      << FormatThousands(arcs.size())
      << (arcs.size() == 1 ? " link\n" : " links\n");
  if (!arcs.empty()) out << NeighborsTable(*graph, arcs, options.limit);
  return absl::OkStatus();
}

}  // namespace

StatusRun DefineNeighbors(CommandFlags& flags) {
  const auto options = std::make_shared<NeighborsOptions>();
  flags.AddArgument("NODE", options->node, "key, name or type:name").Required();
  flags.Add("--type", options->type, "type of the node").Type("TYPE");
  flags.Add("--relation", options->relation, "only links of this relation")
      .Type("RELATION");
  flags
      .Add("--direction", options->direction,
           "out: links from the node; in: links to it; both when left out")
      .OneOf({"out", "in"});
  flags.Add("--limit", options->limit, "most links to list");
  AddDataDir(flags, options->data_dir).Required();
  AddGraphVersion(flags, options->version);
  AddJson(flags, options->json);
  return [options](const CommandStreams& streams) {
    return RunNeighbors(*options, streams.out);
  };
}

}  // namespace slice
