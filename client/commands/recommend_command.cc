// Asks which nodes fit best as the unknown end of a link, and prints them
// (client/commands/recommend_table.h). The candidates in a file are sent with
// the request. When the deadline cuts the ranking short, the best nodes so far
// are printed, and a message says so.
#include "client/commands/recommend_command.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "client/commands/recommend_table.h"
#include "client/drawing/what_if_drawing.h"
#include "client/exit_codes.h"
#include "client/json_output.h"
#include "client/link_file.h"

namespace slice {
namespace {

constexpr int kMaxRecommendations = 1000;

// The nodes that a file names, one per line. Blank lines are skipped. A line
// that begins with # is a name, too: names can begin so.
absl::StatusOr<std::vector<NodeQuery>> ReadNodes(const std::string& path,
                                                 bool keys) {
  const absl::StatusOr<std::string> text = ReadInput(path);
  if (!text.ok()) return text.status();
  std::vector<NodeQuery> nodes;
  absl::string_view rest = *text;
  absl::ConsumePrefix(&rest, "\xEF\xBB\xBF");  // a byte order mark
  for (absl::string_view line : absl::StrSplit(rest, '\n')) {
    line = absl::StripAsciiWhitespace(line);
    if (!line.empty())
      nodes.push_back({std::string(line.data(), line.size()), keys});
  }
  // A request without candidates would mean all nodes.
  if (nodes.empty())
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": the file names no node; write one per line"));
  return nodes;
}

// How to read the answer, by what the server says of the model. It may have
// another bundle by now, whose numbers would be wrong.
RecommendReading ReadingOf(const LinkClient& client,
                           const RecommendQuery& query,
                           const RecommendedNodes& list) {
  RecommendReading reading = {.relation = query.relation,
                              .prior = client.options().prior};
  const absl::StatusOr<ModelInfo> info = client.GetModelInfo();
  if (!info.ok() || info->from.bundle_id != list.from.bundle_id) return reading;
  reading.threshold = info->decision_threshold;
  reading.base_rate = info->base_rate;
  for (const RelationCalibrationInfo& one : info->relation_calibrations) {
    if (one.relation != query.relation) continue;
    reading.threshold = one.plausible.decision_threshold;
    reading.base_rate = one.plausible.base_rate;
  }
  return reading;
}

void Print(const LinkClient& client, const RecommendOptions& options,
           const RecommendQuery& query, const RecommendedNodes& list,
           const CommandOutput& output) {
  const TextStyle& style = output.style;
  if (!style.terminal) {
    output.results << RecommendLines(list, options.flags, style);
    return;
  }
  output.results << DrawChanges(query.what_if, style)
                 << DrawRecommendations(list, options.flags, style)
                 << DrawRecommendNotes(list, ReadingOf(client, query, list),
                                       style);
}

// The values of --source and --target. At most one of them is given.
struct KnownEnds {
  std::string source, target;
};

absl::Status SetKnownEnd(const KnownEnds& ends, RecommendQuery& query) {
  if (ends.source.empty() && ends.target.empty()) {
    return absl::InvalidArgumentError(
        "recommend needs --source NODE or --target NODE");
  }
  query.known_is_source = !ends.source.empty();
  query.known.text = query.known_is_source ? ends.source : ends.target;
  return absl::OkStatus();
}

}  // namespace

int RunRecommend(const LinkClient& client, const RecommendOptions& options,
                 const CommandOutput& output) {
  RecommendQuery query = options.query;
  if (!options.candidates_path.empty()) {
    auto nodes = ReadNodes(options.candidates_path, query.known.exact_key);
    if (!nodes.ok()) return PrintFileError(nodes.status(), output);
    query.candidates = *std::move(nodes);
  }
  absl::StatusOr<WhatIfQuery> what_if =
      ReadWhatIf(client, options.what_if, query.known.exact_key, output);
  if (!what_if.ok()) return PrintUsageError(what_if.status(), output);
  query.what_if = *std::move(what_if);
  const absl::StatusOr<RecommendedNodes> list = client.RecommendLinks(query);
  if (!list.ok()) {
    return PrintCallError(
        InWordsOfFlags(options.what_if, query.what_if, list.status()), output);
  }
  if (output.json) {
    output.results << ToJson(*list) << "\n";
  } else if (list->nodes.empty()) {
    output.messages << "no node is left to recommend\n";
  } else {
    Print(client, options, query, *list, output);
  }
  PrintWithoutEffect(query.what_if, list->without_effect, output);
  if (list->best_so_far) {
    output.messages
        << "the time ran out: these are the best so far; give more time with "
           "--max-time\n";
  }
  return kExitOk;
}

ClientRun DefineRecommend(CommandFlags& flags, ClientFlags& shared) {
  const auto options = std::make_shared<RecommendOptions>();
  const auto ends = std::make_shared<KnownEnds>();
  RecommendQuery& query = options->query;
  const Flag source =
      flags.Add("--source", ends->source, "recommend targets for this node")
          .Type("NODE");
  const Flag target =
      flags.Add("--target", ends->target, "recommend sources for this node")
          .Type("NODE");
  source.Excludes(target);
  flags.Add("--relation", query.relation, "relation of the links to recommend")
      .Type("RELATION")
      .Required();
  flags.Add("--k", query.k, "how many nodes to recommend")
      .Between(1, kMaxRecommendations);
  flags.Add("--type", query.type, "only nodes of this type").Type("TYPE");
  flags.AddSwitch("--include-existing", query.include_existing,
                  "also nodes that already have such a link");
  flags
      .Add("--candidates", options->candidates_path,
           "only the nodes in this file, one a line; - reads standard input")
      .Type("FILE");
  flags.AddSwitch("--flags", options->flags,
                  "end each row with its flags, such as cold_source, or -");
  AddKeys(flags, query.known.exact_key);
  AddScorer(flags, shared);
  AddPrior(flags, shared);
  AddMinGraphVersion(flags, shared);
  AddWhatIf(flags, options->what_if);
  flags.Check([options, ends] { return SetKnownEnd(*ends, options->query); });
  return [options](const LinkClient& client, const CommandOutput& output) {
    return RunRecommend(client, *options, output);
  };
}

}  // namespace slice
