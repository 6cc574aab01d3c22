#include "client/commands/neighbors_command.h"

#include <memory>
#include <string>

#include "client/exit_codes.h"
#include "client/json_output.h"

namespace slice {
namespace {

constexpr double kMaxLimit = 1e9;

int RunNeighbors(const LinkClient& client, const NeighborQuery& query,
                 const CommandOutput& output) {
  const absl::StatusOr<FoundNeighbors> list = client.GetNeighbors(query);
  if (!list.ok()) return PrintCallError(list.status(), output);
  if (output.json) {
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
    output.messages << list->node.Label()
                    << " has no link that fits the query\n";
  } else {
    PrintTable(table, output);
  }
  if (list->neighbors.size() < list->total) {
    output.messages << "these are the first " << list->neighbors.size()
                    << " of " << list->total << " links; --limit 0 lists all\n";
  }
  return kExitOk;
}

}  // namespace

ClientRun DefineNeighbors(CommandFlags& flags, ClientFlags&) {
  const auto query = std::make_shared<NeighborQuery>();
  const auto direction = std::make_shared<std::string>();
  flags.AddArgument("NODE", query->node.text, "the node").Required();
  AddKeys(flags, query->node.exact_key);
  AddRelation(flags, query->relation);
  flags
      .Add("--direction", *direction,
           "out: links from the node; in: links to it; both when left out")
      .OneOf({"out", "in"});
  flags.Add("--limit", query->limit, "most links to list; 0: all")
      .Between(0, kMaxLimit);
  flags.Check([query, direction] {
    if (*direction == "out") query->direction = ArcDirection::kOut;
    if (*direction == "in") query->direction = ArcDirection::kIn;
    return absl::OkStatus();
  });
  return [query](const LinkClient& client, const CommandOutput& output) {
    return RunNeighbors(client, *query, output);
  };
}

}  // namespace slice
