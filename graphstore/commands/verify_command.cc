#include "graphstore/commands/verify_command.h"

#include <filesystem>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/thousands.h"
#include "graphstore/command_output.h"
#include "graphstore/commands/graph_flags.h"
#include "graphstore/store_directory.h"
#include "nlohmann/json.hpp"

namespace slice {
namespace {

struct VerifyOptions {
  std::filesystem::path data_dir;
  bool json = false;
};

// DATA_LOSS when the graph has problems, after listing them.
absl::Status RunVerify(const VerifyOptions& options, std::ostream& out) {
  SLICE_ASSIGN_OR_RETURN(const auto store, OpenGraphToRead(options.data_dir));
  SLICE_ASSIGN_OR_RETURN(const GraphVerification found, store->Verify());
  if (options.json) {
    out << DumpJson({{"ok", found.ok()},
                     {"nodes", found.nodes},
                     {"links", found.links},
                     {"names", found.names},
                     {"graph_digest", found.graph_digest},
                     {"graph_version", found.graph_version},
                     {"state_digest", found.state_digest},
                     {"problem_count", found.problem_count},
                     {"problems", found.problems}});
  } else if (found.ok()) {
    out << "ok: " << FormatThousands(found.nodes) << " nodes, "
        << FormatThousands(found.links) << " links, each stored at both ends, "
        << FormatThousands(found.names) << " names, digest "
        << found.graph_digest << "\n";
    if (found.graph_version > 0) {
      out << "changes: version " << FormatThousands(found.graph_version)
          << ", state digest " << found.state_digest << "\n";
    }
  } else {
    for (const std::string& problem : found.problems) out << problem << "\n";
    if (found.problem_count > found.problems.size()) {
      out << "... and "
          << FormatThousands(found.problem_count - found.problems.size())
          << " more\n";
    }
  }
  if (found.ok()) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat(options.data_dir.string(), " has ", found.problem_count,
                   found.problem_count == 1 ? " problem" : " problems",
                   "; import the graph again"));
}

}  // namespace

StatusRun DefineVerify(CommandFlags& flags) {
  const auto options = std::make_shared<VerifyOptions>();
  AddDataDir(flags, options->data_dir).Required();
  AddJson(flags, options->json);
  return [options](const CommandStreams& streams) {
    return RunVerify(*options, streams.out);
  };
}

}  // namespace slice
