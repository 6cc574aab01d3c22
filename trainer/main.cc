// slice-trainer: from an edge list to a bundle.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "common/files.h"
#include "common/status_macros.h"
#include "trainer/baseline_command.h"
#include "trainer/compare_command.h"
#include "trainer/evaluate_command.h"
#include "trainer/fit/fit.h"
#include "trainer/fit_flags.h"
#include "trainer/leak_command.h"
#include "trainer/methods/method_registry.h"
#include "trainer/rank_command.h"
#include "trainer/report_command.h"
#include "trainer/sweep.h"

namespace slice {
namespace {

absl::Status RunFit(FitFlags flags, FitStep last_step) {
  FitOptions& options = flags.options;
  SLICE_RETURN_IF_ERROR(FinishFlags(flags));
  options.last_step = last_step;
  SLICE_RETURN_IF_ERROR(Fit(options));
  if (last_step < FitStep::kEvaluate) return absl::OkStatus();
  const std::string path = absl::StrCat(
      options.out.string(), last_step < FitStep::kBundle ? ".work" : "",
      "/report/report.", flags.json ? "json" : "txt");
  SLICE_ASSIGN_OR_RETURN(const std::string report, ReadFile(path));
  std::fputs(report.c_str(), stdout);
  return absl::OkStatus();
}

void AddThreads(CLI::App* command, int& threads) {
  command->add_option("--threads", threads, "0: all hardware threads")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
}

void AddEvaluate(CLI::App* command, EvaluateOptions& options) {
  command->add_option("--bundle", options.bundle)->required();
  command->add_option("--test", options.test, "Labelled links")->required();
  command->add_option("--valid", options.valid,
                      "Labelled links for the thresholds of the other methods");
  command->add_option("--html", options.html, "Also write the report here");
  command->add_option("--ranking", options.ranking,
                      "So many test links are ranked among all nodes");
  command->add_option("--rerank", options.rerank,
                      "Candidates of a ranking that are given a context");
  command->add_flag("--ranking_only,--ranking-only", options.ranking_only,
                    "Report the ranking alone");
  command->add_option("--scores", options.scores,
                      "Also write every link with its probabilities here");
  command->add_option("--show", options.shown,
                      "\"RELATION SOURCE TARGET\": show its attention");
  command->add_option("--forward", options.forward,
                      "How the network is run: auto, torchscript, native or "
                      "native-bf16");
  AddThreads(command, options.threads);
  command->add_flag("--json", options.json);
}

void AddRank(CLI::App* command, RankOptions& options) {
  command->add_option("--bundle", options.bundle)->required();
  auto* links =
      command->add_option("--links", options.links, "Held-out links to rank");
  auto* sources = command->add_option(
      "--sources", options.sources,
      "Keys, one a line, that should all get --target by --relation");
  auto* relation = command->add_option("--relation", options.relation);
  auto* target = command->add_option("--target", options.target);
  links->excludes(sources);
  sources->needs(relation)->needs(target);
  command->add_option("--known", options.known,
                      "More true links, left out of the ranking");
  command->add_option("--rerank", options.rerank,
                      "Candidates of a question that are given a context");
  command->add_option("--sample", options.sample, "Questions asked; 0: all");
  command->add_option("--seed", options.seed, "Of the draw of --sample");
  command->add_flag("!--no_baselines", options.baselines, "Rank by slice only");
  AddThreads(command, options.threads);
  command->add_flag("--json", options.json);
}

struct LeakFlags {
  LeakOptions options;
  std::filesystem::path valid, test;
  std::string columns, held_out_columns;
};

void AddLeak(CLI::App* command, LeakFlags& flags) {
  LeakOptions& o = flags.options;
  command->add_option("--train", o.files.train)->required();
  command->add_option("--valid", flags.valid)->required();
  command->add_option("--test", flags.test)->required();
  command->add_option("--nodes", o.files.nodes);
  command->add_option("--columns", flags.columns);
  command->add_option("--held_out_columns,--held-out-columns",
                      flags.held_out_columns);
  command->add_option("--dim", o.node2vec.dim);
  command->add_option("--walks_per_node", o.node2vec.walks_per_node);
  command->add_option("--walk_length", o.node2vec.walk_length);
  command->add_option("--window", o.node2vec.window);
  command->add_option("--subsample", o.node2vec.subsample);
  command->add_option("--seed", o.node2vec.seed);
  AddThreads(command, o.node2vec.threads);
  command->add_flag("--json", o.json);
}

absl::Status RunLeakFlags(LeakFlags flags) {
  SLICE_RETURN_IF_ERROR(ApplyColumns(flags.columns, flags.held_out_columns,
                                     &flags.options.files));
  flags.options.files.held_out = {flags.valid, flags.test};
  return RunLeak(flags.options);
}

void AddReport(CLI::App* command, ReportOptions& options) {
  command
      ->add_option("inputs", options.inputs,
                   "Bundles, or files of evaluate --json")
      ->required();
  command->add_option("--html", options.html, "Also write the page here");
  command->add_flag("--summary", options.summary,
                    "Means and deviations also of a single run");
  command->add_flag("--json", options.json);
}

// The flags of `baseline`.
struct BaselineFlags {
  BaselineOptions options;
  std::string columns, held_out_columns, budget;
};

void AddBaseline(CLI::App* command, BaselineFlags& flags) {
  MethodRunOptions& o = flags.options.run;
  command->footer(MethodHelp());
  command->add_option("METHOD", o.method,
                      "One of those below; left out: all that learn nothing");
  command->add_option("--train", o.files.train, "Links of the graph")
      ->required();
  command->add_option("--valid", o.valid, "Labelled links for thresholds")
      ->required();
  command->add_option("--test", o.test, "Labelled links to report on")
      ->required();
  command->add_option("--nodes", o.files.nodes, "Node file: key, type, name");
  command->add_option("--columns", flags.columns,
                      "Of --train, such as source,relation,target,_");
  command->add_option("--held_out_columns,--held-out-columns",
                      flags.held_out_columns, "Of --valid and --test");
  command->add_option("--out", o.out,
                      "A folder for the report and the embeddings");
  command->add_option("--bundle", o.bundle,
                      "Also publish a bundle for slice-server; of methods "
                      "that score by dot product");
  command->add_option("--html", flags.options.html,
                      "Also write the report here");
  command
      ->add_option("--set", o.settings,
                   "A parameter, as NAME=VALUE; may be given several times")
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--budget", flags.budget,
                      "Of the training, such as 30m; the best state counts; "
                      "slice and structural train to their end");
  command->add_option("--rank_positives,--rank-positives", o.rank_positives,
                      "Also rank so many test links among all nodes");
  command->add_option("--seed", o.seed, "Of all that is drawn")
      ->capture_default_str();
  AddThreads(command, o.threads);
  command->add_flag("--json", flags.options.json, "The report as JSON");
}

absl::Status ParseBudget(const std::string& text, absl::Duration& budget) {
  if (absl::ParseDuration(text, &budget) && budget > absl::ZeroDuration()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--budget is '", text, "'; it must be a time such as 30m"));
}

absl::Status RunBaseline(BaselineFlags flags) {
  if (!flags.budget.empty()) {
    SLICE_RETURN_IF_ERROR(ParseBudget(flags.budget, flags.options.run.budget));
  }
  SLICE_RETURN_IF_ERROR(ApplyColumns(flags.columns, flags.held_out_columns,
                                     &flags.options.run.files));
  return RunBaseline(flags.options);
}

// The flags of `compare`.
struct CompareFlags {
  ComparisonOptions options;
  std::string methods = "all", sets, budget = "30m";
  std::vector<std::string> facts;
  bool json = false;
};

void AddCompare(CLI::App* command, CompareFlags& flags) {
  ComparisonOptions& o = flags.options;
  command
      ->add_option("--datasets", o.datasets,
                   "A folder of folders with train.txt, valid.txt, test.txt")
      ->required();
  command->add_option("--out", o.out, "Receives the runs and the tables")
      ->required();
  command
      ->add_option("--methods", flags.methods,
                   "Separated by commas, or all (see baseline --help); "
                   "with their default parameters")
      ->capture_default_str();
  command->add_option("--sets", flags.sets, "Of the data sets; all by default");
  command->add_option("--seeds", o.seeds, "1 to so many, where runs are short")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command
      ->add_option("--budget", flags.budget,
                   "Of each training; slice and structural train to their end")
      ->capture_default_str();
  command->add_option("--from", o.from,
                      "comparison.json of an earlier comparison, whose runs "
                      "are taken over");
  command
      ->add_option("--fact", flags.facts,
                   "NAME=VALUE that reports and tables are to tell, such as "
                   "commit=...; may be given several times")
      ->allow_extra_args(false);
  AddThreads(command, o.threads);
  command->add_flag("--json", flags.json, "Print the JSON, not the Markdown");
}

std::vector<std::string> SplitNames(const std::string& text) {
  std::vector<std::string> names =
      absl::StrSplit(text, ',', absl::SkipWhitespace());
  for (std::string& name : names) absl::StripAsciiWhitespace(&name);
  return names;
}

absl::Status RunCompare(CompareFlags flags) {
  SLICE_RETURN_IF_ERROR(ParseBudget(flags.budget, flags.options.budget));
  if (flags.methods != "all") flags.options.methods = SplitNames(flags.methods);
  if (flags.methods != "all" && flags.options.methods.empty()) {
    return absl::InvalidArgumentError(
        "--methods names none; leave it out for all");
  }
  flags.options.sets = SplitNames(flags.sets);
  for (const std::string& fact : flags.facts) {
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(fact, absl::MaxSplits('=', 1));
    if (parts.first.empty() || parts.second.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--fact is '", fact, "'; it reads NAME=VALUE"));
    }
    flags.options.labels.push_back({parts.first, parts.second});
  }
  return RunCompare(flags.options, flags.json);
}

// The flags of `sweep`; those it does not know are fit's.
struct SweepFlags {
  SweepOptions options;
  std::vector<std::string> axes, fit;
};

void AddSweep(CLI::App* command, SweepFlags& flags) {
  command
      ->add_option("--out", flags.options.out,
                   "Folder of the cells and the results")
      ->required();
  command->add_option("--vary", flags.axes,
                      "FLAG=VALUE,VALUE of fit; one --vary per flag");
  command->add_flag("--one_at_a_time,--one-at-a-time",
                    flags.options.one_at_a_time,
                    "Vary each flag alone, from the first values of all");
  command->add_flag("--json", flags.options.json);
  command->allow_extras();
  command->footer("All other flags are those of fit, for every cell.");
}

absl::Status RunSweep(SweepFlags flags) {
  for (const std::string& text : flags.axes) {
    SLICE_ASSIGN_OR_RETURN(SweepAxis axis, ParseSweepAxis(text));
    flags.options.axes.push_back(std::move(axis));
  }
  flags.options.make_options = [&](const SweepCell& cell,
                                   const std::filesystem::path& out) {
    return CellOptions(flags.fit, cell, out);
  };
  return RunSweep(flags.options);
}

int Report(const absl::Status& status) {
  if (status.ok()) return 0;
  std::fprintf(stderr, "slice-trainer: %s\n",
               std::string(status.message()).c_str());
  // Wrong options and input that cannot be trained on.
  return absl::IsInvalidArgument(status) || absl::IsFailedPrecondition(status)
             ? 2
             : 1;
}

// CLI11 would call an unknown command a missing one.
int ReportUsage(const CLI::App& app, const CLI::ParseError& error) {
  const bool failed =
      error.get_exit_code() != static_cast<int>(CLI::ExitCodes::Success);
  const std::vector<std::string> unknown = app.remaining();
  if (!failed || !app.get_subcommands().empty() || unknown.empty()) {
    const int code = app.exit(error);
    return code == 0 ? 0 : 2;
  }
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr))
    names.push_back(command->get_name());
  std::fprintf(stderr,
               "There is no command \"%s\"; the commands are %s\n"
               "Run with --help for more information.\n",
               unknown.front().c_str(), absl::StrJoin(names, ", ").c_str());
  return 2;
}

int Main(int argc, char** argv) {
  CLI::App app("Trains slice: from an edge list to a bundle.", "slice-trainer");
  app.require_subcommand(1);
  app.set_version_flag("--version", "slice-trainer " SLICE_VERSION);
  app.footer("Exit codes: 0 ok; 1 failure; 2 wrong command line or bad input.");
  FitFlags fit;
  const struct {
    const char* name;
    const char* description;
    FitStep last_step;
  } steps[] = {
      {"fit", "All steps: embed, pretrain, finetune, evaluate, bundle",
       FitStep::kBundle},
      {"embed", "The steps of fit up to the global embeddings",
       FitStep::kEmbed},
      {"pretrain", "The steps of fit up to pre-training", FitStep::kPretrain},
      {"finetune", "The steps of fit up to fine-tuning", FitStep::kFineTune},
  };
  for (const auto& step : steps) {
    CLI::App* command = app.add_subcommand(step.name, step.description);
    AddFitFiles(command, fit);
    AddFitSettings(command, fit);
  }
  EvaluateOptions evaluate;
  AddEvaluate(app.add_subcommand("evaluate", "A bundle's figures on a file"),
              evaluate);
  RankOptions rank;
  AddRank(app.add_subcommand("rank", "Filtered ranks of held-out links"), rank);
  LeakFlags leak;
  AddLeak(app.add_subcommand(
              "leak",
              "What node2vec scores when it sees the held-out links, as in the "
              "paper, and when it does not"),
          leak);
  ReportOptions report;
  AddReport(app.add_subcommand("report",
                               "The page of a run, or the means of several"),
            report);
  BaselineFlags baseline;
  AddBaseline(app.add_subcommand("baseline",
                                 "The methods that the paper compares with"),
              baseline);
  CompareFlags compare;
  AddCompare(app.add_subcommand("compare",
                                "All methods on all data sets, as one table"),
             compare);
  SweepFlags sweep;
  CLI::App* sweep_command =
      app.add_subcommand("sweep", "A grid of fit's flags, measured on valid");
  AddSweep(sweep_command, sweep);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return ReportUsage(app, error);
  }
  for (const auto& step : steps) {
    if (app.got_subcommand(step.name))
      return Report(RunFit(fit, step.last_step));
  }
  if (app.got_subcommand("evaluate")) return Report(RunEvaluate(evaluate));
  if (app.got_subcommand("rank")) return Report(RunRank(rank));
  if (app.got_subcommand("leak")) return Report(RunLeakFlags(leak));
  if (app.got_subcommand("report")) return Report(RunReport(report));
  if (app.got_subcommand("baseline")) return Report(RunBaseline(baseline));
  if (app.got_subcommand("compare")) return Report(RunCompare(compare));
  sweep.fit = sweep_command->remaining();
  return Report(RunSweep(sweep));
}

}  // namespace
}  // namespace slice

int main(int argc, char** argv) { return slice::Main(argc, argv); }
