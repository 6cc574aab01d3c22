#include "client/commands.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/drawing/explanation_drawing.h"
#include "client/exit_codes.h"
#include "client/json_output.h"
#include "client/text_table.h"

namespace slice {
namespace {

int Fail(const absl::Status& status, const CommandOutput& output) {
  output.messages << ErrorText("", status);
  return ExitCodeFor(status);
}

// A table for a person, tab-separated lines for a program.
void Print(const TextTable& table, const CommandOutput& output) {
  output.results << (output.style.terminal ? table.Draw(output.style, 0)
                                           : table.TabSeparated());
}

std::string ShapeText(const ModelInfo& info) {
  return absl::StrFormat("layers %d, heads %d, width %d, embeddings %d",
                         info.layers, info.heads, info.hidden_dim,
                         info.embedding_dim);
}

std::vector<std::pair<std::string, std::string>> InfoRows(
    const ModelInfo& info) {
  std::vector<std::pair<std::string, std::string>> rows = {
      {"model", info.model},
      {"bundle", info.from.bundle_id},
      {"preset", info.preset},
      {"created", info.created},
      {"contract version", absl::StrCat(info.contract_version)},
      {"network", ShapeText(info)},
      {"nodes", absl::StrCat(info.node_count)},
      {"links", absl::StrCat(info.link_count)},
      {"relations", absl::StrJoin(info.relations, ", ")},
      {"node types", absl::StrJoin(info.node_types, ", ")},
      {"context", absl::StrCat(info.context_strategy, ", at most ",
                               info.max_context_nodes, " nodes")},
      {"own pair's links", info.own_pair_links},
      {"scorer", info.scorer},
      {"decision threshold", absl::StrFormat("%.6g", info.decision_threshold)},
      {"temperature", absl::StrFormat("%.6g", info.temperature)},
      {"seed", absl::StrCat(info.seed)},
      {"graph digest", info.graph_digest},
      {"graph version", absl::StrCat(info.from.graph_version)},
      {"device", info.device},
      {"forward path", info.forward_path},
      {"instruction set", info.instruction_set},
      {"server version", info.server_version}};
  for (const ForwardTimingInfo& timing : info.forward_timings) {
    rows.emplace_back(
        absl::StrCat(timing.forward_path, ", ", timing.contexts,
                     timing.contexts == 1 ? " context" : " contexts"),
        absl::StrFormat("%.3g ms", timing.seconds * 1000));
  }
  if (info.leaky) {
    rows.emplace_back("LEAKY",
                      "trained on held-out links, for comparison only");
  }
  for (const auto& [name, value] : info.metrics)
    rows.emplace_back(name, absl::StrFormat("%.6g", value));
  return rows;
}

}  // namespace

int RunExplain(const LinkClient& client, const CommandLine& line,
               const CommandOutput& output) {
  const absl::StatusOr<ScoredLinks> scored = client.ExplainLink(line.link);
  if (!scored.ok()) return Fail(scored.status(), output);
  const ScoredLink& link = scored->links[0];
  if (line.json) {
    output.results << ToJson(line.link, "", link, scored->from) << "\n";
  } else if (line.dot) {
    output.results << ExplanationAsDot(link);
  } else {
    std::optional<double> threshold;
    // The threshold of another bundle would contradict the decision.
    const absl::StatusOr<ModelInfo> info = client.GetModelInfo();
    if (info.ok() && info->from.bundle_id == scored->from.bundle_id)
      threshold = info->decision_threshold;
    output.results << DrawExplanation(link, threshold, output.style);
  }
  return kExitOk;
}

int RunNeighbors(const LinkClient& client, const CommandLine& line,
                 const CommandOutput& output) {
  const absl::StatusOr<FoundNeighbors> list =
      client.GetNeighbors(line.neighbors);
  if (!list.ok()) return Fail(list.status(), output);
  if (line.json) {
    output.results << ToJson(*list) << "\n";
    return kExitOk;
  }
  TextTable table({{"direction"}, {"relation"}, {"key"}, {"name"}, {"type"}});
  for (const NeighborInfo& neighbor : list->neighbors) {
    table.AddRow({{neighbor.direction == ArcDirection::kIn ? "in" : "out"},
                  {neighbor.relation},
                  {neighbor.node.key},
                  {neighbor.node.name},
                  {neighbor.node.type}});
  }
  if (list->neighbors.empty()) {
    output.messages << list->node.Label() << " has no such neighbour\n";
  } else {
    Print(table, output);
  }
  if (list->neighbors.size() < list->total) {
    output.messages << "the first " << list->neighbors.size() << " of "
                    << list->total << "; --limit 0 lists all\n";
  }
  return kExitOk;
}

int RunFind(const LinkClient& client, const CommandLine& line,
            const CommandOutput& output) {
  const absl::StatusOr<FoundNodes> list = client.FindNodes(line.find);
  if (!list.ok()) return Fail(list.status(), output);
  if (line.json) {
    output.results << ToJson(*list) << "\n";
    return kExitOk;
  }
  TextTable table({{"key"}, {"name"}, {"type"}});
  for (const NodeInfo& node : list->nodes)
    table.AddRow({{node.key}, {node.name}, {node.type}});
  if (!list->nodes.empty()) {
    Print(table, output);
  } else {
    output.messages << "no node starts with \"" << line.find.prefix << "\"\n";
    if (!list->near_misses.empty())
      output.messages << "did you mean: "
                      << absl::StrJoin(list->near_misses, ", ") << "\n";
  }
  if (list->more) output.messages << "there are more; --limit 0 lists all\n";
  return kExitOk;
}

int RunRelations(const LinkClient& client, const CommandLine& line,
                 const CommandOutput& output) {
  const absl::StatusOr<RelationList> list = client.ListRelations();
  if (!list.ok()) return Fail(list.status(), output);
  if (line.json) {
    output.results << ToJson(*list) << "\n";
    return kExitOk;
  }
  TextTable table({{"relation"}, {"links", true}, {"from"}, {"to"}});
  for (const RelationInfo& relation : list->relations) {
    table.AddRow({{relation.name},
                  {absl::StrCat(relation.links)},
                  {absl::StrJoin(relation.source_types, ", ")},
                  {absl::StrJoin(relation.target_types, ", ")}});
  }
  Print(table, output);
  return kExitOk;
}

int RunInfo(const LinkClient& client, const CommandLine& line,
            const CommandOutput& output) {
  const absl::StatusOr<ModelInfo> info = client.GetModelInfo();
  if (!info.ok()) return Fail(info.status(), output);
  if (line.json) {
    output.results << ToJson(*info) << "\n";
    return kExitOk;
  }
  TextTable table({{""}, {""}});
  for (const auto& [name, value] : InfoRows(*info))
    table.AddRow({{name, TextColor::kFaint}, {value}});
  Print(table, output);
  return kExitOk;
}

int RunCommand(const CommandLine& line, const CommandOutput& output) {
  LinkClient::Options options = line.client;
  if (line.command == ClientCommand::kHealth && !line.max_time_given)
    options.max_time = absl::Seconds(5);
  const auto client = LinkClient::Create(std::move(options));
  if (!client.ok()) {
    output.messages << "error: " << client.status().message() << "\n";
    return kExitFailure;
  }
  const auto run = [&] {
    switch (line.command) {
      case ClientCommand::kPredict:
        return RunPredict(**client, line, output);
      case ClientCommand::kExplain:
        return RunExplain(**client, line, output);
      case ClientCommand::kRecommend:
        return RunRecommend(**client, line, output);
      case ClientCommand::kNeighbors:
        return RunNeighbors(**client, line, output);
      case ClientCommand::kFind:
        return RunFind(**client, line, output);
      case ClientCommand::kRelations:
        return RunRelations(**client, line, output);
      case ClientCommand::kInfo:
        return RunInfo(**client, line, output);
      case ClientCommand::kHealth:
        return RunHealth(**client, line, output);
      case ClientCommand::kQueue:
        return RunQueue(**client, line, output);
      case ClientCommand::kBench:
        return RunBench(**client, line, output);
    }
    return kExitUsage;
  };
  const int status = run();
  errno = 0;
  if (output.results.flush()) return status;
  output.messages << "error: cannot write the results"
                  << (errno == 0 ? "" : ": ")
                  << (errno == 0 ? "" : std::strerror(errno)) << "\n";
  return kExitFailure;
}

}  // namespace slice
