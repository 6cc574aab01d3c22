// Asks which nodes fit best as the unknown end of a link, and prints them in a
// table, each with the path that explains it. The candidates in a file are sent
// with the request. When the deadline cuts the ranking short, the best nodes so
// far are printed, and a message says so.
#include "client/commands/recommend_command.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "client/drawing/drawing_parts.h"
#include "client/drawing/node_labels.h"
#include "client/drawing/what_if_drawing.h"
#include "client/exit_codes.h"
#include "client/json_output.h"
#include "client/link_file.h"
#include "client/text_table.h"

namespace slice {
namespace {

constexpr int kMaxRecommendations = 1000;
constexpr size_t kPathIndent = 6;  // below the rank

// The nodes that a file names, one per line. Empty lines are skipped.
absl::StatusOr<std::vector<NodeQuery>> ReadNodes(const std::string& path,
                                                 bool keys) {
  const absl::StatusOr<std::string> text = ReadInput(path);
  if (!text.ok()) return text.status();
  std::vector<NodeQuery> nodes;
  for (absl::string_view line : absl::StrSplit(*text, '\n')) {
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

std::string PathText(const RecommendedNode& node, const TextStyle& style) {
  if (node.metapath.empty()) return "no path";
  std::string path;
  for (const ExplainedStep& step : node.metapath) {
    if (!step.relation.empty())
      absl::StrAppend(&path, " ",
                      DrawArrow(style, step.relation, step.direction), " ");
    path += style.Name(step.node.Label());
  }
  return path;
}

// The path on lines of its own, of which none is wider than the terminal.
std::string DrawPath(const RecommendedNode& node, const NodeLabels& labels,
                     const TextStyle& style) {
  WrappedLine line(style, kPathIndent);
  if (node.metapath.empty()) line.Add(TextColor::kFaint, "no path");
  for (const ExplainedStep& step : node.metapath) {
    if (!step.relation.empty()) {
      line.Add(TextColor::kFaint,
               DrawArrow(style, step.relation, step.direction));
    }
    line.Add(TextColor::kPlain, style.Name(labels.Of(step.node)));
  }
  if (node.metapath_count > 1) {
    line.Add(TextColor::kFaint,
             absl::StrCat("(", Plural(node.metapath_count, "such path"), ")"));
  }
  return line.Finish();
}

TextTable TableOf(const RecommendedNodes& list, const NodeLabels& labels,
                  const CommandOutput& output) {
  const bool terminal = output.style.terminal;
  std::vector<TextTable::Column> columns = {
      {"rank", true}, {"node"}, {"score", true}, {"probability", true}};
  columns.push_back({terminal ? "" : "path"});
  TextTable table(columns);
  for (const RecommendedNode& node : list.nodes) {
    table.AddRow(
        {{absl::StrCat(node.rank)},
         {terminal ? labels.Of(node.node) : node.node.key, TextColor::kTarget},
         {absl::StrFormat("%+.4f", node.score)},
         {absl::StrFormat(terminal ? "%.6f" : "%.9g", node.probability),
          node.decision ? TextColor::kGood : TextColor::kBad},
         terminal ? TextTable::Cell{node.decision ? "a link" : "no link"}
                  : TextTable::Cell{PathText(node, output.style)}});
  }
  return table;
}

// At which share of links the probabilities hold, and how to change it.
std::string PriorNote(const LinkClient& client) {
  if (client.options().prior > 0) {
    return absl::StrFormat(", if a share of %g of the pairs are links",
                           client.options().prior);
  }
  const absl::StatusOr<ModelInfo> info = client.GetModelInfo();
  if (!info.ok() || info->base_rate <= 0) return "";
  return absl::StrFormat(
      ", if %.0f %% of the pairs are links; where they are rarer, say how rare "
      "with --prior",
      100 * info->base_rate);
}

// On a terminal each row is followed by its path.
void Print(const RecommendedNodes& list, const std::string& prior_note,
           const CommandOutput& output) {
  NodeLabels labels;
  for (const RecommendedNode& node : list.nodes) {
    labels.Add(node.node);
    for (const ExplainedStep& step : node.metapath) labels.Add(step.node);
  }
  const TextTable table = TableOf(list, labels, output);
  if (!output.style.terminal) return PrintTable(table, output);
  const std::string drawn = table.Draw(output.style, 0);
  size_t begin = drawn.find('\n') + 1;
  output.results << drawn.substr(0, begin);
  for (const RecommendedNode& node : list.nodes) {
    const size_t end = drawn.find('\n', begin) + 1;
    output.results << drawn.substr(begin, end - begin)
                   << DrawPath(node, labels, output.style);
    begin = end;
  }
  WrappedLine note(output.style, 0);
  note.AddWords(TextColor::kFaint,
                absl::StrCat("ranked by score: how well the node fits among "
                             "its kind; probability: is it a link at all",
                             prior_note));
  output.results << note.Finish();
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
  if (!list.ok()) return PrintCallError(list.status(), output);
  if (output.json) {
    output.results << ToJson(*list) << "\n";
  } else if (list->nodes.empty()) {
    output.messages << "no node is left to recommend\n";
  } else {
    if (output.style.terminal)
      output.results << DrawChanges(query.what_if, output.style);
    Print(*list, output.style.terminal ? PriorNote(client) : "", output);
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
