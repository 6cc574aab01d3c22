#include "graphstore/graph_commands.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "graphstore/graph_summary.h"
#include "graphstore/rocksdb_graph_store.h"
#include "graphstore/text_table.h"
#include "nlohmann/json.hpp"

namespace slice {
namespace {

using Json = nlohmann::ordered_json;

std::string Dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// The directory of the one graph below `data_dir`: itself, or what a server
// keeps in graphs/<digest>.
absl::StatusOr<std::filesystem::path> FindStore(
    const std::filesystem::path& data_dir) {
  std::error_code error;
  if (std::filesystem::exists(data_dir / "CURRENT", error) ||
      !std::filesystem::is_directory(data_dir / "graphs", error))
    return data_dir;
  std::vector<std::string> graphs;
  for (const auto& entry :
       std::filesystem::directory_iterator(data_dir / "graphs", error))
    graphs.push_back(entry.path().string());
  std::sort(graphs.begin(), graphs.end());
  if (graphs.size() == 1) return std::filesystem::path(graphs.front());
  if (graphs.empty()) return data_dir;
  return absl::FailedPreconditionError(
      absl::StrCat(data_dir.string(), " holds ", graphs.size(),
                   " graphs; name one of ", absl::StrJoin(graphs, ", ")));
}

absl::StatusOr<std::unique_ptr<RocksDbGraphStore>> OpenToRead(
    const std::filesystem::path& data_dir) {
  SLICE_ASSIGN_OR_RETURN(const auto directory, FindStore(data_dir));
  return RocksDbGraphStore::Open(
      {.directory = directory, .create_if_missing = false, .read_only = true});
}

Json ToJson(const EdgeListImportSummary& summary) {
  return {{"lines", summary.lines},
          {"duplicates", summary.duplicates},
          {"self_loops", summary.self_loops},
          {"replaced_control_bytes", summary.replaced_control_bytes},
          {"held_out_links", summary.held_out_links},
          {"held_out_pairs_linked", summary.held_out_pairs_linked},
          {"held_out_only_nodes", summary.held_out_only_nodes},
          {"skipped", summary.skipped}};
}

void WriteImportTable(const ImportedGraph& graph, const GraphMetadata& metadata,
                      std::ostream& out) {
  const EdgeListImportSummary& summary = graph.summary;
  std::vector<std::vector<std::string>> rows = {{">", ""}};
  rows.push_back({FormatCount(metadata.node_count), "nodes"});
  rows.push_back({FormatCount(metadata.link_count), "links"});
  rows.push_back(
      {FormatCount(graph.data.catalogue.relations.size()), "relations"});
  rows.push_back(
      {FormatCount(summary.duplicates), "repeated links, collapsed"});
  rows.push_back({FormatCount(summary.self_loops), "self loops, kept"});
  if (!graph.held_out.empty()) {
    rows.push_back({FormatCount(summary.held_out_links),
                    "held-out links, none of them in training"});
    rows.push_back({FormatCount(summary.held_out_pairs_linked),
                    "of these join nodes that training links by another "
                    "relation or direction"});
    rows.push_back({FormatCount(summary.held_out_only_nodes),
                    "nodes named in held-out files without a training link"});
  }
  const std::string table = FormatTable(rows, 120);
  out << table.substr(table.find('\n') + 1);
  out << "  graph digest " << metadata.graph_digest << "\n";
}

// Opens a new store and fills it; what it made is removed when that fails.
absl::StatusOr<GraphMetadata> StoreImported(
    const ImportedGraph& graph, const std::filesystem::path& data_dir) {
  std::error_code error;
  const bool existed = std::filesystem::exists(data_dir, error);
  const auto fill = [&]() -> absl::StatusOr<GraphMetadata> {
    SLICE_ASSIGN_OR_RETURN(const auto store,
                           RocksDbGraphStore::Open({.directory = data_dir}));
    SLICE_RETURN_IF_ERROR(store->BulkLoad(graph.data, graph.split_digest));
    return store->Metadata();
  };
  auto metadata = fill();
  if (!metadata.ok() && !existed) std::filesystem::remove_all(data_dir, error);
  return metadata;
}

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
  return Dump(json);
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

absl::Status RunImport(const ImportCommand& command, std::ostream& out,
                       std::ostream& errors) {
  const absl::Time start = absl::Now();
  SLICE_ASSIGN_OR_RETURN(const ImportedGraph graph,
                         ImportEdgeList(command.edge_list));
  SLICE_ASSIGN_OR_RETURN(const GraphMetadata metadata,
                         StoreImported(graph, command.data_dir));
  for (const std::string& skipped : graph.summary.skipped)
    errors << "skipped " << skipped << "\n";
  if (graph.summary.replaced_control_bytes > 0) {
    errors << "warning: " << FormatCount(graph.summary.replaced_control_bytes)
           << " control characters in names were replaced by U+FFFD\n";
  }
  if (command.json) {
    Json json = ToJson(graph.summary);
    json["nodes"] = metadata.node_count;
    json["links"] = metadata.link_count;
    json["relations"] = graph.data.catalogue.relations.size();
    json["graph_digest"] = metadata.graph_digest;
    json["split_digest"] = metadata.split_digest;
    out << Dump(json);
    return absl::OkStatus();
  }
  out << "imported into " << command.data_dir.string() << " in "
      << FormatSeconds(absl::ToDoubleSeconds(absl::Now() - start)) << "\n";
  WriteImportTable(graph, metadata, out);
  return absl::OkStatus();
}

absl::Status RunStats(const StatsCommand& command, std::ostream& out) {
  SLICE_ASSIGN_OR_RETURN(const auto store, OpenToRead(command.data_dir));
  SLICE_ASSIGN_OR_RETURN(const GraphMetadata metadata, store->Metadata());
  SLICE_ASSIGN_OR_RETURN(const auto graph, store->BuildSnapshot());
  const GraphSummary summary = SummarizeGraph(*graph);
  if (command.json) {
    out << Dump(StatsJson(*graph, metadata, summary));
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
  SLICE_ASSIGN_OR_RETURN(const auto store, OpenToRead(command.data_dir));
  SLICE_ASSIGN_OR_RETURN(const GraphVerification found, store->Verify());
  if (command.json) {
    out << Dump({{"ok", found.ok()},
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
  SLICE_ASSIGN_OR_RETURN(const auto store, OpenToRead(command.data_dir));
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

absl::Status RunExport(const ExportCommand& command, std::ostream& out) {
  SLICE_ASSIGN_OR_RETURN(const auto store, OpenToRead(command.data_dir));
  SLICE_RETURN_IF_ERROR(store->ExportSsts(command.out_dir));
  out << "exported to " << command.out_dir.string() << "\n";
  return absl::OkStatus();
}

}  // namespace slice
