#include "client/commands/find_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "client/exit_codes.h"
#include "client/json_output.h"
#include "common/did_you_mean.h"

namespace slice {
namespace {

constexpr double kMaxLimit = 1e9;

int RunFind(const LinkClient& client, const FindQuery& query,
            const CommandOutput& output) {
  const absl::StatusOr<FoundNodes> list = client.FindNodes(query);
  if (!list.ok()) return PrintCallError(list.status(), output);
  if (output.json) {
    output.results << ToJson(*list) << "\n";
    return kExitOk;
  }
  TextTable table({{"key"}, {"name"}, {"type"}});
  for (const NodeInfo& node : list->nodes)
    table.AddRow({{node.key}, {node.name}, {node.type}});
  if (!list->nodes.empty()) {
    PrintTable(table, output);
  } else {
    output.messages << "no node has a name that starts with \"" << query.prefix
                    << "\"" << DidYouMean(list->near_misses) << "\n";
  }
  if (!list->nodes.empty() && !list->near_misses.empty()) {
    std::vector<std::string> names;
    for (const std::string& name : list->near_misses)
      names.push_back(Quoted(name));
    output.messages << "similar names: " << absl::StrJoin(names, ", ") << "\n";
  }
  if (list->more)
    output.messages << "there are more nodes; --limit 0 lists all\n";
  return kExitOk;
}

}  // namespace

ClientRun DefineFind(CommandFlags& flags, ClientFlags&) {
  const auto query = std::make_shared<FindQuery>();
  flags.AddArgument("PREFIX", query->prefix, "all nodes when left out");
  flags.Add("--type", query->type, "only nodes of this type").Type("TYPE");
  flags.Add("--limit", query->limit, "most nodes to list; 0: all")
      .Between(0, kMaxLimit);
  return [query](const LinkClient& client, const CommandOutput& output) {
    return RunFind(client, *query, output);
  };
}

}  // namespace slice
