// Summarises a graph in one pass (graphstore/graph_summary.h) and prints the
// summary: counts, a table of node types, one of relations, a picture of the
// degrees in buckets, and the nodes with the most links.
#include "graphstore/commands/stats_command.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/thousands.h"
#include "graphstore/change_log.h"
#include "graphstore/command_output.h"
#include "graphstore/commands/graph_flags.h"
#include "graphstore/graph_summary.h"
#include "graphstore/store_directory.h"
#include "graphstore/terminal_text.h"
#include "nlohmann/json.hpp"

namespace slice {
namespace {

using Json = nlohmann::ordered_json;

struct StatsOptions {
  std::filesystem::path data_dir;
  std::optional<uint64_t> version;
  bool json = false;
};

Json NodeJson(const GraphSnapshot& graph, NodeId node) {
  return {{"key", graph.Key(node)},
          {"name", graph.Name(node)},
          {"type", graph.TypeName(graph.Type(node))}};
}

Json StatsJson(const GraphSnapshot& graph, const GraphMetadata& metadata,
               const std::string& state_digest, const GraphSummary& summary) {
  Json json = {{"graph_digest", metadata.graph_digest},
               {"state_digest", state_digest},
               {"split_digest", metadata.split_digest},
               {"graph_version", graph.graph_version()},
               {"nodes", graph.present_node_count()},
               {"links", graph.link_count()},
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
    rows.push_back({graph.TypeName(i), FormatThousands(summary.type_nodes[i])});
  return FormatTable(rows);
}

std::string RelationsTable(const GraphSnapshot& graph,
                           const GraphSummary& summary) {
  std::vector<std::vector<std::string>> rows = {
      {"relation", ">links", ">sources", ">targets"}};
  for (size_t i = 0; i < summary.relations.size(); ++i) {
    const RelationSummary& relation = summary.relations[i];
    rows.push_back({graph.RelationName(i), FormatThousands(relation.links),
                    FormatThousands(relation.sources),
                    FormatThousands(relation.targets)});
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
                        ? FormatThousands(bucket.low)
                        : absl::StrCat(FormatThousands(bucket.low), "-",
                                       FormatThousands(bucket.high)),
                    FormatThousands(bucket.nodes),
                    FormatBar(bucket.nodes, most)});
  }
  return FormatTable(rows);
}

std::string HubsTable(const GraphSnapshot& graph, const GraphSummary& summary) {
  std::vector<std::vector<std::string>> rows = {
      {">links", "hub", "name", "type"}};
  for (const Hub& hub : summary.hubs) {
    rows.push_back({FormatThousands(hub.links), graph.Key(hub.node),
                    graph.Name(hub.node),
                    graph.TypeName(graph.Type(hub.node))});
  }
  return FormatTable(rows);
}

absl::Status RunStats(const StatsOptions& options, std::ostream& out) {
  SLICE_ASSIGN_OR_RETURN(const auto store, OpenGraphToRead(options.data_dir));
  SLICE_ASSIGN_OR_RETURN(const GraphMetadata metadata, store->Metadata());
  SLICE_ASSIGN_OR_RETURN(const auto graph, store->GraphAt(options.version));
  SLICE_ASSIGN_OR_RETURN(const ChangeLog log, store->OpenChangeLog());
  SLICE_ASSIGN_OR_RETURN(const std::string state_digest,
                         log.DigestAt(graph->graph_version()));
  const GraphSummary summary = SummarizeGraph(*graph);
  if (options.json) {
    out << DumpJson(StatsJson(*graph, metadata, state_digest, summary));
    return absl::OkStatus();
  }
  out << FormatThousands(graph->present_node_count()) << " nodes ("
      << FormatThousands(summary.unlinked_nodes) << " without a link), "
      << FormatThousands(graph->link_count()) << " links ("
      << FormatThousands(summary.self_loops) << " self loops), graph version "
      << graph->graph_version() << "\ndigest " << metadata.graph_digest
      << (graph->graph_version() == log.base_version()
              ? ""
              : absl::StrCat(" before its changes, state digest ",
                             state_digest))
      << "\n\n"
      << TypesTable(*graph, summary) << "\n"
      << RelationsTable(*graph, summary) << "\n"
      << DegreesPicture(summary) << "\n"
      << HubsTable(*graph, summary);
  return absl::OkStatus();
}

}  // namespace

StatusRun DefineStats(CommandFlags& flags) {
  const auto options = std::make_shared<StatsOptions>();
  AddDataDir(flags, options->data_dir).Required();
  AddGraphVersion(flags, options->version);
  AddJson(flags, options->json);
  return [options](const CommandStreams& streams) {
    return RunStats(*options, streams.out);
  };
}

}  // namespace slice
