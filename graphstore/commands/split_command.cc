#include "graphstore/commands/split_command.h"

#include <filesystem>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graphstore/command_output.h"
#include "graphstore/commands/graph_flags.h"
#include "graphstore/link_file_flags.h"
#include "graphstore/split/split_files.h"
#include "graphstore/split/split_flags.h"
#include "nlohmann/json.hpp"

namespace slice {
namespace {

struct SplitCommand {
  SplitOptions split;
  std::filesystem::path out;
  bool force = false;
  bool json = false;
};

using Json = nlohmann::ordered_json;

Json ToJson(const SplitSummary& summary) {
  Json relations = Json::array();
  for (const RelationSplit& relation : summary.relations) {
    relations.push_back({{"relation", relation.relation},
                         {"train", relation.train},
                         {"valid", relation.valid},
                         {"test", relation.test}});
  }
  return {{"train", summary.train},
          {"valid", summary.valid},
          {"test", summary.test},
          {"valid_negatives", summary.valid_negatives},
          {"test_negatives", summary.test_negatives},
          {"missing_negatives", summary.missing_negatives},
          {"repeated_rows", summary.repeated_rows},
          {"left_out", summary.left_out},
          {"held_out_only_nodes", summary.held_out_only_nodes},
          {"relations", relations},
          {"recognised", summary.recognised}};
}

absl::Status RunSplit(const SplitCommand& command,
                      const CommandStreams& streams) {
  const SplitPaths paths(command.out);
  for (const std::filesystem::path& path : paths.all()) {
    std::error_code error;
    if (command.force || !std::filesystem::exists(path, error)) continue;
    return absl::FailedPreconditionError(
        absl::StrCat(path.string(),
                     " exists; give another --out, or --force "
                     "to write it anew"));
  }
  SLICE_ASSIGN_OR_RETURN(const SplitSummary summary,
                         WriteSplit(command.split, command.out));
  for (const std::string& recognised : summary.recognised)
    streams.errors << "read " << recognised << "\n";
  if (command.json) {
    streams.out << DumpJson(ToJson(summary));
    return absl::OkStatus();
  }
  for (const std::string& line : DescribeSplit(command.split, summary))
    streams.out << line << "\n";
  streams.out << "wrote " << paths.train.string() << ", "
              << paths.valid.string() << " and " << paths.test.string() << "\n";
  return absl::OkStatus();
}

}  // namespace

StatusRun DefineSplit(CommandFlags& flags) {
  const auto command = std::make_shared<SplitCommand>();
  SplitOptions& split = command->split;
  flags.Add("--links", split.links, "links to split").Type("FILE").Required();
  flags
      .Add("--nodes", split.nodes,
           "nodes, which non-links are drawn among, too")
      .Type("FILE");
  flags
      .Add("--out", command->out, "directory of train.tsv, valid.tsv, test.tsv")
      .Type("DIR")
      .Required();
  AddSplitFlags(flags, "", split);
  AddLinkFileFlags(flags, split.link_files);
  flags.AddSwitch("--force", command->force,
                  "write files that exist already anew");
  AddJson(flags, command->json);
  flags.Check([command] { return command->split.Validate(); });
  return [command](const CommandStreams& streams) {
    return RunSplit(*command, streams);
  };
}

}  // namespace slice
