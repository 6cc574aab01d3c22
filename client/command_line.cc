#include "client/command_line.h"

#include <sstream>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "client/bench/bench_flags.h"
#include "client/exit_codes.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr double kMaxSeconds = 86400;
constexpr int64_t kMaxLimit = 1'000'000'000;
constexpr int64_t kMaxRecommendations = 1000;

constexpr const char kFooter[] =
    "A node is given by its key, its name or type:name.\n"
    "\n"
    "  slice-client predict curl tagged role::program\n"
    "  slice-client predict --links links.tsv > scores.tsv\n"
    "  slice-client explain curl tagged role::program\n"
    "  slice-client recommend --source curl --relation tagged\n"
    "  slice-client bench --links-per-rpc 64 --concurrency 8\n"
    "  slice-client queue --server unix:/run/slice/admin.sock\n"
    "\n"
    "Results go to standard output, messages to standard error. Exit status: 0 "
    "done, 1 failure\non this machine, 2 usage, 64 + the gRPC status code for "
    "the server's errors; health: 0 serving,\n1 usage, 2 no connection, 3 call "
    "failed, 4 not serving. slice-client --help lists the\nflags that every "
    "command takes.";

// What CLI11 fills in; turned into a CommandLine once everything is parsed.
struct Flags {
  CommandLine line;
  bool plaintext = false;
  bool tls = false;
  bool keys = false;
  double max_time = 0;
  int retries = -1;
  int64_t neighbors_limit = 100;
  int64_t find_limit = 20;
  int64_t k = 10;
  std::string source, target;
  std::vector<std::string> headers;
  std::string direction;
  BenchFlags bench;
};

void AddConnectionFlags(CLI::App* app, Flags* flags) {
  ConnectionOptions& connection = flags->line.client.connection;
  app->add_option("--server", connection.server,
                  "where the server listens, as HOST:PORT")
      ->envname("SLICE_SERVER")
      ->capture_default_str();
  app->add_flag("--plaintext", flags->plaintext,
                "no encryption; the default unless a TLS flag is given");
  app->add_flag("--tls", flags->tls,
                "encrypt, trusting the system's authorities");
  app->add_option("--cacert", connection.ca_file,
                  "encrypt, trusting the authorities of this PEM file");
  app->add_option("--cert", connection.cert_file,
                  "the client's certificate, a PEM file; needs --key");
  app->add_option("--key", connection.key_file,
                  "the client's private key, a PEM file; needs --cert");
  app->add_option("--max-time", flags->max_time,
                  "seconds a call may take, its retries included (default 30; "
                  "health: 5)")
      ->check(CLI::Range(0.001, kMaxSeconds));
  app->add_option("--retries", flags->retries,
                  "tries after the first while the server is unavailable or "
                  "full (default 3, or 9 when it names a delay)")
      ->check(CLI::Range(0, 100));
  app->add_option("-H,--header", flags->headers,
                  "metadata to send, as 'name: value'; may be repeated")
      ->allow_extra_args(false);
  app->add_option("--model", flags->line.client.model,
                  "which bundle to ask; the server's default when left out");
  app->add_flag("--json", flags->line.json, "print JSON, an object per line");
  app->add_flag("--ascii", flags->line.ascii, "draw with ASCII only");
}

// A subcommand whose parent's flags may stand behind it.
CLI::App* AddCommand(CLI::App* app, Flags* flags, const char* name,
                     const char* description, ClientCommand command) {
  CLI::App* added = app->add_subcommand(name, description);
  added->fallthrough();
  added->final_callback([flags, command] { flags->line.command = command; });
  return added;
}

void AddLinkArguments(CLI::App* command, Flags* flags, bool required) {
  LinkQuery& link = flags->line.link;
  command->add_option("SOURCE", link.source.text, "where the link begins")
      ->required(required);
  command->add_option("RELATION", link.relation, "the relation asked for")
      ->required(required);
  command->add_option("TARGET", link.target.text, "where the link ends")
      ->required(required);
}

void AddScorerFlag(CLI::App* command, Flags* flags) {
  command->add_option("--scorer", flags->line.client.scorer,
                      "who answers: context, ends or structural; the bundle's "
                      "default when left out");
}

void AddKeysFlag(CLI::App* command, Flags* flags) {
  command->add_flag("--keys", flags->keys,
                    "take nodes as keys only, never as names");
}

void AddRecommendCommand(CLI::App* app, Flags* flags) {
  RecommendQuery& query = flags->line.recommend;
  CLI::App* recommend =
      AddCommand(app, flags, "recommend",
                 "find the best targets of a source, or sources of a target",
                 ClientCommand::kRecommend);
  CLI::Option* source = recommend->add_option(
      "--source", flags->source, "recommend targets for this node");
  CLI::Option* target = recommend->add_option(
      "--target", flags->target, "recommend sources for this node");
  source->excludes(target);
  recommend->add_option("--relation", query.relation, "the relation asked for")
      ->required();
  recommend->add_option("--k", flags->k, "recommend so many")
      ->check(CLI::Range(int64_t{1}, kMaxRecommendations))
      ->capture_default_str();
  recommend->add_option("--type", query.type, "only nodes of this type");
  recommend->add_flag("--include_existing,--include-existing",
                      query.include_existing,
                      "also nodes that the graph links so already");
  recommend->add_option("--candidates", flags->line.candidates_path,
                        "only the nodes in this file, one a line; - reads "
                        "standard input");
  AddKeysFlag(recommend, flags);
  AddScorerFlag(recommend, flags);
}

void AddCommands(CLI::App* app, Flags* flags) {
  CommandLine& line = flags->line;
  CLI::App* predict =
      AddCommand(app, flags, "predict", "score a link, or many with --links",
                 ClientCommand::kPredict);
  AddLinkArguments(predict, flags, /*required=*/false);
  AddKeysFlag(predict, flags);
  AddScorerFlag(predict, flags);
  predict->add_option("--links", line.links_path,
                      "score the lines \"relation source target [label]\" of "
                      "this file, in order; - reads standard input");

  CLI::App* explain =
      AddCommand(app, flags, "explain", "score a link and draw the reasons",
                 ClientCommand::kExplain);
  AddLinkArguments(explain, flags, /*required=*/true);
  AddKeysFlag(explain, flags);
  AddScorerFlag(explain, flags);
  explain->add_flag("--dot", line.dot, "print the context for Graphviz");

  AddRecommendCommand(app, flags);

  CLI::App* neighbors =
      AddCommand(app, flags, "neighbors", "list the neighbours of a node",
                 ClientCommand::kNeighbors);
  neighbors->add_option("NODE", line.neighbors.node.text, "the node")
      ->required();
  AddKeysFlag(neighbors, flags);
  neighbors->add_option("--relation", line.neighbors.relation,
                        "only this relation");
  neighbors
      ->add_option("--direction", flags->direction,
                   "out: links from the node; in: links to it")
      ->check(CLI::IsMember({"out", "in"}));
  neighbors
      ->add_option("--limit", flags->neighbors_limit,
                   "list at most so many; 0 = all")
      ->check(CLI::Range(int64_t{0}, kMaxLimit))
      ->capture_default_str();

  CLI::App* find = AddCommand(app, flags, "find",
                              "list nodes whose names start with a prefix",
                              ClientCommand::kFind);
  find->add_option("PREFIX", line.find.prefix, "any nodes when left out");
  find->add_option("--type", line.find.type, "only nodes of this type");
  find->add_option("--limit", flags->find_limit,
                   "list at most so many; 0 = all")
      ->check(CLI::Range(int64_t{0}, kMaxLimit))
      ->capture_default_str();

  AddCommand(app, flags, "relations", "list the relations",
             ClientCommand::kRelations);
  AddCommand(app, flags, "info", "show what is loaded and how well it did",
             ClientCommand::kInfo);

  CLI::App* health =
      AddCommand(app, flags, "health", "ask whether the server serves",
                 ClientCommand::kHealth);
  health->add_option("SERVICE", line.service,
                     "one service, such as slice.v1.LinkPredictionService; "
                     "the whole process when left out");
  health->add_flag("--watch", line.watch, "keep printing changes");

  CLI::App* queue = AddCommand(app, flags, "queue",
                               "show what waits in the server; asks the "
                               "listener of its --admin_listen",
                               ClientCommand::kQueue);
  queue
      ->add_option("--shed", line.shed_limit,
                   "list so many of the requests refused last; the server "
                   "remembers 100")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();

  CLI::App* bench = AddCommand(app, flags, "bench",
                               "put the server under load and measure it",
                               ClientCommand::kBench);
  AddKeysFlag(bench, flags);
  AddScorerFlag(bench, flags);
  AddBenchFlags(bench, &flags->bench);
}

absl::Status FinishConnection(Flags* flags) {
  LinkClient::Options& client = flags->line.client;
  ConnectionOptions& connection = client.connection;
  const bool certificates =
      !(connection.ca_file.empty() && connection.cert_file.empty() &&
        connection.key_file.empty());
  connection.tls = flags->tls || certificates;
  if (flags->plaintext && connection.tls) {
    return absl::InvalidArgumentError(
        "--plaintext contradicts --tls, --cacert, --cert and --key");
  }
  for (const std::string& header : flags->headers) {
    SLICE_ASSIGN_OR_RETURN(auto metadata, ParseMetadata(header));
    connection.metadata.push_back(std::move(metadata));
  }
  if (flags->max_time > 0) {
    client.max_time = absl::Seconds(flags->max_time);
    flags->line.max_time_given = true;
  }
  if (flags->retries >= 0) {
    client.retry.max_attempts = flags->retries + 1;
    client.retry.max_attempts_when_told = flags->retries + 1;
  }
  return connection.Validate();
}

absl::Status FinishArguments(const CLI::App& app, Flags* flags) {
  CommandLine& line = flags->line;
  if (line.command == ClientCommand::kPredict) {
    const CLI::App& predict = *app.get_subcommand("predict");
    const size_t given = predict.count("SOURCE") + predict.count("RELATION") +
                         predict.count("TARGET");
    if (line.links_path.empty() && given < 3)
      return absl::InvalidArgumentError(
          "predict needs SOURCE RELATION TARGET, or --links FILE");
    if (!line.links_path.empty() && given > 0)
      return absl::InvalidArgumentError(
          "predict takes SOURCE RELATION TARGET or --links, not both");
  }
  if (line.command == ClientCommand::kRecommend) {
    if (flags->source.empty() && flags->target.empty())
      return absl::InvalidArgumentError(
          "recommend needs --source NODE or --target NODE");
    RecommendQuery& query = line.recommend;
    query.known_is_source = !flags->source.empty();
    query.known = {query.known_is_source ? flags->source : flags->target,
                   flags->keys};
    query.k = static_cast<size_t>(flags->k);
  }
  if (line.dot && line.json)
    return absl::InvalidArgumentError("--dot contradicts --json");
  line.neighbors.limit = static_cast<size_t>(flags->neighbors_limit);
  line.find.limit = static_cast<size_t>(flags->find_limit);
  if (line.command == ClientCommand::kBench) {
    SLICE_ASSIGN_OR_RETURN(line.bench,
                           ParseBenchFlags(flags->bench, line.json));
    line.bench.exact_keys = flags->keys;
  }
  line.link.source.exact_key = flags->keys;
  line.link.target.exact_key = flags->keys;
  line.neighbors.node.exact_key = flags->keys;
  if (!flags->direction.empty()) {
    line.neighbors.direction =
        flags->direction == "out" ? ArcDirection::kOut : ArcDirection::kIn;
  }
  return absl::OkStatus();
}

// What CLI11 says, except that it would call an unknown command a missing one.
std::string Complaint(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = app.remaining();
  if (!app.get_subcommands().empty() || unknown.empty()) return error.what();
  return absl::StrCat("there is no command \"", unknown.front(), "\"");
}

EarlyExit UsageError(const std::string& message, bool health) {
  return {health ? kHealthBadArguments : kExitUsage,
          absl::StrCat("error: ", message,
                       "\nrun slice-client --help for the commands\n")};
}

}  // namespace

std::variant<CommandLine, EarlyExit> ParseCommandLine(int argc,
                                                      const char* const* argv) {
  Flags flags;
  CLI::App app("Asks a slice server for link predictions and their reasons.",
               "slice-client");
  app.footer(kFooter);
  app.set_version_flag("--version", "slice-client " SLICE_VERSION);
  app.require_subcommand(1);
  AddConnectionFlags(&app, &flags);
  AddCommands(&app, &flags);
  const auto health = [&app] {
    return app.get_subcommand("health")->count() > 0;
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      std::ostringstream text;
      app.exit(error, text, text);
      return EarlyExit{
          kExitOk,
          absl::StrCat(absl::StripTrailingAsciiWhitespace(text.str()), "\n")};
    }
    return UsageError(Complaint(app, error), health());
  }
  absl::Status status = FinishArguments(app, &flags);
  if (status.ok()) status = FinishConnection(&flags);
  if (!status.ok())
    return UsageError(
        std::string(status.message().data(), status.message().size()),
        health());
  return std::move(flags.line);
}

}  // namespace slice
