#include "graphstore/commands/generate_command.h"

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "common/thousands.h"
#include "graphstore/command_output.h"
#include "graphstore/commands/graph_flags.h"
#include "graphstore/graph_generator.h"
#include "graphstore/terminal_text.h"
#include "nlohmann/json.hpp"

namespace slice {
namespace {

struct GenerateOptions {
  GeneratorOptions generator;
  bool force = false;
  bool json = false;
};

absl::Status RunGenerate(const GenerateOptions& options, std::ostream& out) {
  SLICE_RETURN_IF_ERROR(
      CheckNotThere(GeneratedFiles(options.generator), options.force));
  const absl::Time start = absl::Now();
  SLICE_ASSIGN_OR_RETURN(const GeneratorSummary made,
                         GenerateGraph(options.generator));
  if (options.json) {
    out << DumpJson({{"train_links", made.train_links},
                     {"valid_links", made.valid_links},
                     {"valid_negatives", made.valid_negatives},
                     {"test_links", made.test_links},
                     {"test_negatives", made.test_negatives}});
    return absl::OkStatus();
  }
  const auto links = [](uint64_t positives, uint64_t negatives) {
    return absl::StrCat(FormatThousands(positives), " links labelled 1, ",
                        FormatThousands(negatives), " labelled 0");
  };
  out << "generated in "
      << FormatSeconds(absl::ToDoubleSeconds(absl::Now() - start)) << "\n"
      << FormatTable(
             {{"file", "holds"},
              {made.train.string(),
               FormatThousands(made.train_links) + " links"},
              {made.valid.string(),
               links(made.valid_links, made.valid_negatives)},
              {made.test.string(), links(made.test_links, made.test_negatives)},
              {made.nodes.string(),
               FormatThousands(options.generator.nodes) + " nodes"}},
             120);
  return absl::OkStatus();
}

}  // namespace

StatusRun DefineGenerate(CommandFlags& flags) {
  const auto options = std::make_shared<GenerateOptions>();
  GeneratorOptions& generator = options->generator;
  flags.Add("--nodes", generator.nodes, "nodes");
  flags.Add("--links", generator.links, "links, held-out ones included");
  flags.Add("--relations", generator.relations, "relations");
  flags.Add("--communities", generator.communities, "communities");
  flags.Add("--noise", generator.noise, "share of links without a rule");
  flags.Add("--held-out", generator.held_out,
            "about how many links valid and test hold each; 0: a twentieth of "
            "the links, at most 50,000");
  flags.Add("--seed", generator.seed, "same seed, same files");
  flags.Add("--out", generator.out, "directory of the files")
      .Type("DIR")
      .Required();
  flags.Add("--compress", generator.compression, "compresses the files")
      .OneOf({"gz", "zst"});
  AddForce(flags, options->force);
  AddJson(flags, options->json);
  return [options](const CommandStreams& streams) {
    return RunGenerate(*options, streams.out);
  };
}

}  // namespace slice
