#include <string>

#include "CLI/CLI.hpp"
#include "graphstore/graph_commands.h"
#include "graphstore/printable_stream.h"

namespace slice {
namespace {

constexpr char kFooter[] =
    "Examples:\n"
    "  slice-graph import --train links.tsv --nodes nodes.tsv --data-dir "
    "graph\n"
    "  slice-graph stats --data-dir graph\n"
    "  slice-graph neighbors --data-dir graph curl --relation depends\n"
    "  slice-graph generate --nodes 10000 --links 100000 --out planted\n\n"
    "Exit codes: 0 ok; 1 failure; 2 wrong command line or bad input.";

// What was typed, one struct per command.
struct ParsedCommands {
  ImportCommand import;
  StatsCommand stats;
  VerifyCommand verify;
  NeighborsCommand neighbors;
  ExportCommand export_files;
  GenerateCommand generate;
};

CLI::Option* AddDataDir(CLI::App* command, std::filesystem::path* data_dir) {
  return command
      ->add_option("--data-dir,--data_dir", *data_dir,
                   "directory of the graph (RocksDB), or of a server")
      ->required()
      ->type_name("DIR");
}

void AddJson(CLI::App* command, bool* json) {
  command->add_flag("--json", *json, "one JSON object instead of tables");
}

CLI::App* AddImport(CLI::App* app, ImportCommand* parsed) {
  EdgeListImportOptions& options = parsed->edge_list;
  CLI::App* command =
      app->add_subcommand("import", "Fill a new graph from edge lists");
  command
      ->add_option("--train", options.train,
                   "links of the graph: relation source target")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--held-out,--held_out", options.held_out,
                   "valid and test links, checked and not loaded; may repeat")
      ->type_name("FILE");
  command
      ->add_option("--nodes", options.nodes,
                   "nodes: key, type and name, separated by tabs")
      ->type_name("FILE");
  command
      ->add_option("--columns", parsed->columns,
                   "what the columns of the link files hold, such as "
                   "source,relation,target,weight; _ to skip one")
      ->type_name("LIST");
  command
      ->add_option("--held-out-columns,--held_out_columns",
                   parsed->held_out_columns,
                   "of the held-out files, when not those of --columns with a "
                   "label behind them")
      ->type_name("LIST");
  command->add_flag("--strict-pairs,--strict_pairs", options.strict_pairs,
                    "refuse held-out pairs that training links in any way");
  command
      ->add_option("--max-errors,--max_errors", options.max_errors,
                   "malformed lines to skip and report before failing")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N");
  AddDataDir(command, &parsed->data_dir);
  AddJson(command, &parsed->json);
  return command;
}

CLI::App* AddNeighbors(CLI::App* app, NeighborsCommand* parsed) {
  CLI::App* command =
      app->add_subcommand("neighbors", "List what a node is linked to");
  command->add_option("node", parsed->node, "key, name or type:name")
      ->required()
      ->type_name("NODE");
  command->add_option("--type", parsed->type, "type of the node")
      ->type_name("TYPE");
  command->add_option("--relation", parsed->relation, "links of one relation")
      ->type_name("RELATION");
  command->add_option("--direction", parsed->direction, "out or in")
      ->check(CLI::IsMember({"out", "in"}));
  command->add_option("--limit", parsed->limit, "links to list")
      ->capture_default_str();
  AddDataDir(command, &parsed->data_dir);
  AddJson(command, &parsed->json);
  return command;
}

void AddExport(CLI::App* app, ExportCommand* parsed) {
  CLI::App* command = app->add_subcommand(
      "export", "Write links.tsv and nodes.tsv, which import takes");
  CLI::Option* const data_dir = AddDataDir(command, &parsed->data_dir);
  command
      ->add_option("--bundle", parsed->bundle, "the graph of a bundle instead")
      ->excludes(data_dir->required(false))
      ->type_name("DIR");
  command->add_option("--out", parsed->out_dir, "a directory")
      ->required()
      ->type_name("DIR");
  command
      ->add_option("--format", parsed->format,
                   "tsv; or sst, sorted files as they go into a bundle, into "
                   "an empty directory")
      ->check(CLI::IsMember({"tsv", "sst"}));
  command->add_option("--compress", parsed->compression, "gz or zst")
      ->check(CLI::IsMember({"gz", "zst"}));
  command->callback([parsed] {
    if (parsed->data_dir.empty() && parsed->bundle.empty())
      throw CLI::RequiredError("--data-dir or --bundle");
    if (parsed->format == "sst" &&
        (!parsed->bundle.empty() || !parsed->compression.empty()))
      throw CLI::ValidationError("--format sst",
                                 "goes with neither --bundle nor --compress");
  });
}

CLI::App* AddGenerate(CLI::App* app, GenerateCommand* parsed) {
  GeneratorOptions& options = parsed->generator;
  CLI::App* command = app->add_subcommand(
      "generate", "Write files of a graph with planted structure");
  command->add_option("--nodes", options.nodes, "nodes")->capture_default_str();
  command->add_option("--links", options.links, "links, held-out ones included")
      ->capture_default_str();
  command->add_option("--relations", options.relations, "relations")
      ->capture_default_str();
  command->add_option("--communities", options.communities, "communities")
      ->capture_default_str();
  command->add_option("--noise", options.noise, "share of links without a rule")
      ->capture_default_str();
  command->add_option("--held_out,--held-out", options.held_out,
                      "links of valid and of test each, about; 0: a twentieth "
                      "of the links, at most 50,000");
  command->add_option("--seed", options.seed, "same seed, same files")
      ->capture_default_str();
  command->add_option("--out", options.out, "a directory")
      ->required()
      ->type_name("DIR");
  command->add_option("--compress", options.compression, "gz or zst")
      ->check(CLI::IsMember({"gz", "zst"}));
  AddJson(command, &parsed->json);
  return command;
}

int Report(const absl::Status& status, std::ostream& errors) {
  if (status.ok()) return kExitOk;
  errors << "slice-graph: " << std::string(status.message()) << "\n";
  // Wrong input, and a command that cannot work as things are.
  return absl::IsInvalidArgument(status) || absl::IsFailedPrecondition(status)
             ? kExitUsage
             : kExitError;
}

}  // namespace

int RunGraphCommand(int argc, const char* const* argv, std::ostream& raw_out,
                    std::ostream& raw_errors) {
  PrintableStream out(raw_out), errors(raw_errors);
  ParsedCommands parsed;
  CLI::App app("Imports heterogeneous graphs and looks into them",
               "slice-graph");
  app.require_subcommand(1);
  app.footer(kFooter);
  app.set_version_flag("--version", "slice-graph " SLICE_VERSION);
  const CLI::App* const import = AddImport(&app, &parsed.import);
  CLI::App* const stats =
      app.add_subcommand("stats", "Counts, degrees and hubs");
  AddDataDir(stats, &parsed.stats.data_dir);
  AddJson(stats, &parsed.stats.json);
  CLI::App* const verify =
      app.add_subcommand("verify", "Check every record against the others");
  AddDataDir(verify, &parsed.verify.data_dir);
  AddJson(verify, &parsed.verify.json);
  const CLI::App* const neighbors = AddNeighbors(&app, &parsed.neighbors);
  AddExport(&app, &parsed.export_files);
  const CLI::App* const generate = AddGenerate(&app, &parsed.generate);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, out, errors) == 0 ? kExitOk : kExitUsage;
  }
  if (*import) return Report(RunImport(parsed.import, out, errors), errors);
  if (*stats) return Report(RunStats(parsed.stats, out), errors);
  if (*verify) return Report(RunVerify(parsed.verify, out), errors);
  if (*neighbors) return Report(RunNeighbors(parsed.neighbors, out), errors);
  if (*generate) return Report(RunGenerate(parsed.generate, out), errors);
  return Report(RunExport(parsed.export_files, out), errors);
}

}  // namespace slice
