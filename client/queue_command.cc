#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/bench/bench_report.h"
#include "client/commands.h"
#include "client/exit_codes.h"
#include "client/json_output.h"
#include "client/text_table.h"
#include "common/thousands.h"

namespace slice {
namespace {

std::string TimeText(double seconds, const CommandOutput& output) {
  return seconds == 0 ? "0" : LatencyText(seconds, output.style.unicode);
}

// "12", and what they ask for where that is more: "12 (156 scorings)".
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
                  {absl::StrCat(shed.links)},
                  {TimeText(shed.predicted_wait_seconds, output)}});
  }
  return table;
}

void Draw(const QueueSnapshot& state, size_t limit,
          const CommandOutput& output) {
  const auto print = [&output](const TextTable& table) {
    output.results << (output.style.terminal ? table.Draw(output.style, 0)
                                             : table.TabSeparated());
  };
  output.results << FormatThousands(state.links) << " of at most "
                 << FormatThousands(state.max_links) << " links, "
                 << FormatThousands(state.bytes) << " of at most "
                 << FormatThousands(state.max_bytes)
                 << " bytes; predicted wait: interactive "
                 << TimeText(state.interactive_wait_seconds, output)
                 << ", bulk " << TimeText(state.bulk_wait_seconds, output)
                 << "\n\n";
  print(StageTable(state, output));
  output.results << "\n";
  if (state.shed.empty()) {
    output.results << "nothing was refused\n";
  } else {
    print(ShedTable(state, limit, output));
  }
}

}  // namespace

int RunQueue(const LinkClient& client, const CommandLine& line,
             const CommandOutput& output) {
  const absl::StatusOr<QueueSnapshot> state = client.GetQueueState();
  if (!state.ok()) {
    output.messages << ErrorText("", state.status());
    if (absl::IsUnimplemented(state.status())) {
      output.messages << "ask the listener that slice-server's --admin_listen "
                         "names, such as --server unix:PATH\n";
    }
    return ExitCodeFor(state.status());
  }
  if (line.json) {
    output.results << ToJson(*state) << "\n";
  } else {
    Draw(*state, line.shed_limit, output);
  }
  return kExitOk;
}

}  // namespace slice
