#include "client/commands/relations_command.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/exit_codes.h"
#include "client/json_output.h"

namespace slice {
namespace {

int RunRelations(const LinkClient& client, const CommandOutput& output) {
  const absl::StatusOr<RelationList> list = client.ListRelations();
  if (!list.ok()) return PrintCallError(list.status(), output);
  if (output.json) {
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
  PrintTable(table, output);
  return kExitOk;
}

}  // namespace

ClientRun DefineRelations(CommandFlags&, ClientFlags&) { return RunRelations; }

}  // namespace slice
