// The output has three parts: a line of totals and predicted waits, a table
// with a row per stage of the server's work, and a table of the requests that
// were refused last. When it does not go to a terminal, the tables are
// tab-separated. With --json the output is one object with all fields.
#include "client/commands/queue_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/bench/bench_report.h"
#include "client/exit_codes.h"
#include "client/json_output.h"
#include "client/text_table.h"

namespace slice {
namespace {

std::string TimeText(double seconds, const CommandOutput& output) {
  return seconds == 0 ? "0" : LatencyText(seconds, output.style.unicode);
}

// "12", or "12 (156 scorings)" when some links need more than one scoring.
std::string LinksText(const QueuedClass& of_class) {
  if (of_class.cost == of_class.links) return absl::StrCat(of_class.links);
  return absl::StrCat(of_class.links, " (", of_class.cost, " scorings)");
}

std::string NextText(const QueuedStage& stage) {
  std::vector<std::string> parts;
  const auto add = [&parts](uint64_t count, const char* what) {
    if (count > 0) parts.push_back(absl::StrCat(count, " ", what));
  };
  add(stage.next_interactive, "interactive");
  add(stage.next_bulk, "bulk");
  add(stage.next_dropped, "dropped");
  if (stage.next_explained) parts.push_back("explained");
  return parts.empty() ? "nothing" : absl::StrJoin(parts, ", ");
}

TextTable StageTable(const QueueSnapshot& state, const CommandOutput& output) {
  TextTable table({{"stage"},
                   {"interactive", true},
                   {"bulk", true},
                   {"clients", true},
                   {"oldest", true},
                   {"next batch"},
                   {"first deadline in", true}});
  for (const QueuedStage& stage : state.stages) {
    table.AddRow(
        {{stage.stage},
         {LinksText(stage.interactive)},
         {LinksText(stage.bulk)},
         {absl::StrCat(stage.interactive.clients, " + ", stage.bulk.clients)},
         {TimeText(stage.oldest_age_seconds, output)},
         {NextText(stage)},
         {TimeText(stage.next_deadline_seconds, output)}});
  }
  return table;
}

TextTable ShedTable(const QueueSnapshot& state, size_t limit,
                    const CommandOutput& output) {
  TextTable table({{"refused", true},
                   {"reason"},
                   {"class"},
                   {"links", true},
                   {"predicted wait", true}});
  for (const ShedRequest& shed : state.shed) {
    if (limit-- == 0) break;
    table.AddRow({{absl::StrCat(TimeText(shed.age_seconds, output), " ago")},
                  {shed.reason},
                  {shed.bulk ? "bulk" : "interactive"},
                  {output.style.Count(shed.links)},
                  {TimeText(shed.predicted_wait_seconds, output)}});
  }
  return table;
}

void Draw(const QueueSnapshot& state, size_t limit,
          const CommandOutput& output) {
  output.results << output.style.Count(state.links) << " of at most "
                 << output.style.Count(state.max_links) << " links, "
                 << output.style.Count(state.bytes) << " of at most "
                 << output.style.Count(state.max_bytes)
                 << " bytes; predicted wait: interactive "
                 << TimeText(state.interactive_wait_seconds, output)
                 << ", bulk " << TimeText(state.bulk_wait_seconds, output)
                 << "\n\n";
  PrintTable(StageTable(state, output), output);
  output.results << "\n";
  if (state.shed.empty()) {
    output.results << "nothing was refused\n";
  } else {
    PrintTable(ShedTable(state, limit, output), output);
  }
}

}  // namespace

int RunQueue(const LinkClient& client, size_t shed_limit,
             const CommandOutput& output) {
  const absl::StatusOr<QueueSnapshot> state = client.GetQueueState();
  if (!state.ok()) return PrintAdminCallError(state.status(), output);
  if (output.json) {
    output.results << ToJson(*state) << "\n";
  } else {
    Draw(*state, shed_limit, output);
  }
  return kExitOk;
}

ClientRun DefineQueue(CommandFlags& flags, ClientFlags&) {
  const auto shed_limit = std::make_shared<size_t>(10);
  flags
      .Add("--shed", *shed_limit,
           "most refused requests to list, newest first; the server "
           "remembers 100")
      .Between(0, 100);
  return [shed_limit](const LinkClient& client, const CommandOutput& output) {
    return RunQueue(client, *shed_limit, output);
  };
}

}  // namespace slice
