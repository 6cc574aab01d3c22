#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "client/commands.h"
#include "client/drawing/drawing_parts.h"
#include "client/exit_codes.h"
#include "client/json_output.h"
#include "client/link_file.h"
#include "client/text_table.h"

namespace slice {
namespace {

// The nodes of a file, one a line; empty lines mean nothing.
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
  // Without any all nodes would be asked for.
  if (nodes.empty())
    return absl::InvalidArgumentError(absl::StrCat(path, ": names no node"));
  return nodes;
}

std::string DrawPath(const RecommendedNode& node, const TextStyle& style) {
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

void Print(const RecommendedNodes& list, const CommandOutput& output) {
  TextTable table({{"rank", true},
                   {"node"},
                   {"score", true},
                   {"probability", true},
                   {"path"}});
  for (const RecommendedNode& node : list.nodes) {
    table.AddRow({{absl::StrCat(node.rank)},
                  {output.style.terminal ? node.node.Label() : node.node.key,
                   TextColor::kTarget},
                  {absl::StrFormat("%+.4f", node.score)},
                  {absl::StrFormat("%.6f", node.probability),
                   node.decision ? TextColor::kGood : TextColor::kBad},
                  {DrawPath(node, output.style)}});
  }
  output.results << (output.style.terminal ? table.Draw(output.style, 0)
                                           : table.TabSeparated());
}

}  // namespace

int RunRecommend(const LinkClient& client, const CommandLine& line,
                 const CommandOutput& output) {
  RecommendQuery query = line.recommend;
  if (!line.candidates_path.empty()) {
    auto nodes = ReadNodes(line.candidates_path, query.known.exact_key);
    if (!nodes.ok()) {
      output.messages << "error: " << nodes.status().message() << "\n";
      return absl::IsInvalidArgument(nodes.status()) ? kExitUsage
                                                     : kExitFailure;
    }
    query.candidates = *std::move(nodes);
  }
  const absl::StatusOr<RecommendedNodes> list = client.RecommendLinks(query);
  if (!list.ok()) {
    output.messages << ErrorText("", list.status());
    return ExitCodeFor(list.status());
  }
  if (line.json) {
    output.results << ToJson(*list) << "\n";
  } else if (list->nodes.empty()) {
    output.messages << "no node is left to recommend\n";
  } else {
    Print(*list, output);
  }
  if (list->best_so_far) {
    output.messages
        << "the time ran out: these are the best so far; --max-time "
           "gives more\n";
  }
  return kExitOk;
}

}  // namespace slice
