#include "client/commands/info_command.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/exit_codes.h"
#include "client/json_output.h"

namespace slice {
namespace {

std::string NetworkText(const ModelInfo& info) {
  return absl::StrFormat("layers %d, heads %d, width %d, embeddings %d",
                         info.layers, info.heads, info.hidden_dim,
                         info.embedding_dim);
}

// The most that a context holds.
std::string ContextText(const ModelInfo& info) {
  return absl::StrCat(
      info.context_strategy, ", at most ", info.max_context_nodes,
      info.context_strategy == "paths" ? " types of paths, and the two ends"
                                       : " nodes");
}

std::string ThresholdText(const ModelInfo& info) {
  const std::string text = absl::StrFormat("%.6g", info.decision_threshold);
  return info.relation_calibrations.empty()
             ? text
             : text +
                   " for all relations together; each relation may have its "
                   "own (see --json)";
}

std::vector<std::pair<std::string, std::string>> InfoRows(
    const ModelInfo& info, const TextStyle& style) {
  std::vector<std::pair<std::string, std::string>> rows = {
      {"model", info.model},
      {"bundle", info.from.bundle_id},
      {"preset", info.preset},
      {"created", info.created},
      {"contract version", absl::StrCat(info.contract_version)},
      {"network", NetworkText(info)},
      {"nodes", style.Count(info.node_count)},
      {"links", style.Count(info.link_count)},
      {"relations", absl::StrJoin(info.relations, ", ")},
      {"node types", absl::StrJoin(info.node_types, ", ")},
      {"context", ContextText(info)},
      {"own pair's links", info.own_pair_links},
      {"scorer", info.scorer},
      {"why this scorer", info.scorer_reason},
      {"decision threshold", ThresholdText(info)},
      {"temperature", absl::StrFormat("%.6g", info.temperature)},
      {"threshold among kind",
       absl::StrFormat("%.6g", info.among_kind_threshold)},
      {"share of links in valid", absl::StrFormat("%.4g", info.base_rate)},
      {"calibrated relations",
       absl::StrCat(info.relation_calibrations.size(), " (see --json)")},
      {"seed", absl::StrCat(info.seed)},
      {"graph digest", info.graph_digest},
      {"graph version", absl::StrCat(info.from.graph_version)},
      {"version that the model knows", absl::StrCat(info.base_graph_version)},
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

int RunInfo(const LinkClient& client, const CommandOutput& output) {
  const absl::StatusOr<ModelInfo> info = client.GetModelInfo();
  if (!info.ok()) return PrintCallError(info.status(), output);
  if (output.json) {
    output.results << ToJson(*info) << "\n";
    return kExitOk;
  }
  TextTable table({{""}, {""}});
  for (const auto& [name, value] : InfoRows(*info, output.style))
    table.AddRow({{name, TextColor::kFaint}, {value}});
  PrintTable(table, output);
  return kExitOk;
}

}  // namespace

ClientRun DefineInfo(CommandFlags&, ClientFlags&) { return RunInfo; }

}  // namespace slice
