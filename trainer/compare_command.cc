// Turns the flags into options, runs the comparison
// (trainer/methods/comparison/comparison.h), and writes its result three times:
// as JSON, as Markdown and as a page. A run that fails leaves its error in its
// cell of the table; the other runs go on, and the command fails at the end.
#include "trainer/compare_command.h"

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/files.h"
#include "common/status_macros.h"
#include "trainer/methods/comparison/comparison_page.h"
#include "trainer/methods/comparison/comparison_text.h"
#include "trainer/threads_flag.h"

namespace slice {
namespace {

absl::Status CheckAllRan(const Comparison& comparison) {
  std::string first;
  int cells = 0, failed = 0;
  for (const ComparisonRow& row : comparison.rows) {
    for (const ComparisonCell& cell : row.cells) {
      ++cells;
      if (cell.error.empty()) continue;
      if (failed++ == 0) first = absl::StrCat(row.method, ": ", cell.error);
    }
  }
  if (failed == 0) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(failed, " of ", cells,
                   " cells of the comparison failed; the first was ", first));
}

struct CompareFlags {
  ComparisonOptions options;
  std::string methods = "all";
  std::string sets;
  std::vector<std::string> facts;
  bool json = false;
};

std::vector<std::string> SplitNames(const std::string& text) {
  std::vector<std::string> names =
      absl::StrSplit(text, ',', absl::SkipWhitespace());
  for (std::string& name : names) absl::StripAsciiWhitespace(&name);
  return names;
}

absl::Status FinishCompare(CompareFlags& flags) {
  if (flags.methods != "all") flags.options.methods = SplitNames(flags.methods);
  if (flags.methods != "all" && flags.options.methods.empty()) {
    return absl::InvalidArgumentError(
        "--methods names no method; leave --methods out to run all of them");
  }
  flags.options.sets = SplitNames(flags.sets);
  for (const std::string& fact : flags.facts) {
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(fact, absl::MaxSplits('=', 1));
    if (parts.first.empty() || parts.second.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--fact: '", fact, "' must be NAME=VALUE"));
    }
    flags.options.labels.push_back({parts.first, parts.second});
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunCompare(const ComparisonOptions& options, bool json) {
  SLICE_RETURN_IF_ERROR(CreateDirectories(options.out));
  SLICE_ASSIGN_OR_RETURN(const Comparison comparison, Compare(options));
  const std::string as_json = ComparisonJson(comparison);
  const std::string as_text = ComparisonMarkdown(comparison);
  SLICE_RETURN_IF_ERROR(
      WriteFileAtomically(options.out / "comparison.json", as_json));
  SLICE_RETURN_IF_ERROR(
      WriteFileAtomically(options.out / "comparison.md", as_text));
  SLICE_RETURN_IF_ERROR(WriteFileAtomically(options.out / "comparison.html",
                                            ComparisonHtml(comparison)));
  std::fputs((json ? as_json : as_text).c_str(), stdout);
  return options.table_only ? absl::OkStatus() : CheckAllRan(comparison);
}

StatusRun DefineCompare(CommandFlags& flags) {
  const auto compare = std::make_shared<CompareFlags>();
  ComparisonOptions& options = compare->options;
  options.budget = absl::Minutes(30);
  flags
      .Add("--datasets", options.datasets,
           "a directory of directories with the files train, valid, test and "
           "perhaps nodes, each as .txt or .tsv")
      .Type("DIR")
      .Required();
  flags.Add("--out", options.out, "directory of the runs and the tables")
      .Type("DIR")
      .Required();
  flags
      .Add("--methods", compare->methods,
           "separated by commas, or all (see baseline --help); with their "
           "default parameters")
      .Type("NAMES");
  flags.Add("--sets", compare->sets, "names of data sets; all when left out")
      .Type("NAMES");
  flags
      .Add("--seeds", options.seeds,
           "runs of each method, with seeds from 1 on, where runs are short")
      .Between(1, 1000);
  flags
      .Add("--budget", options.budget,
           "time for each training; slice and structural train to their end")
      .Between(absl::Milliseconds(1), absl::InfiniteDuration());
  flags
      .Add("--from", options.from,
           "comparison.json of an earlier comparison, whose runs are kept")
      .Type("FILE");
  flags
      .Add("--fact", compare->facts,
           "a fact for the reports and tables, such as commit=...")
      .Type("NAME=VALUE")
      .OneValueEach();
  flags.AddSwitch("--table-only", options.table_only,
                  "run nothing; write the tables from the runs that exist, "
                  "whatever their budget");
  AddThreads(flags, options.threads);
  flags.AddSwitch("--json", compare->json, "print the JSON, not the Markdown");
  flags.Check([compare] { return FinishCompare(*compare); });
  return [compare](const CommandStreams&) {
    return RunCompare(compare->options, compare->json);
  };
}

}  // namespace slice
