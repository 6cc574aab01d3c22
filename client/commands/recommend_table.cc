#include "client/commands/recommend_table.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/answer_flags.h"
#include "client/drawing/drawing_parts.h"
#include "client/drawing/node_labels.h"
#include "client/text_table.h"

namespace slice {
namespace {

constexpr size_t kPathIndent = 6;  // below the rank
constexpr size_t kMostNotes = 10;

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

NodeLabels LabelsOf(const RecommendedNodes& list) {
  NodeLabels labels;
  for (const RecommendedNode& node : list.nodes) {
    labels.Add(node.node);
    for (const ExplainedStep& step : node.metapath) labels.Add(step.node);
  }
  return labels;
}

TextTable TableOf(const RecommendedNodes& list, const NodeLabels& labels,
                  bool flags) {
  std::vector<TextTable::Column> columns = {{"rank", true},
                                            {"node"},
                                            {"score", true},
                                            {"among kind", true},
                                            {"probability", false, true}};
  if (flags) columns.push_back({"flags"});
  TextTable table(std::move(columns));
  for (const RecommendedNode& node : list.nodes) {
    std::vector<TextTable::Cell> cells = {
        {absl::StrCat(node.rank)},
        {labels.Of(node.node), TextColor::kTarget},
        {absl::StrFormat("%+.4f", node.score)},
        {absl::StrFormat("%.4f", node.probability_among_kind)},
        {absl::StrFormat("%.6f  %s", node.probability,
                         node.decision ? "a link" : "no link"),
         node.decision ? TextColor::kGood : TextColor::kBad}};
    if (flags) cells.push_back({FlagColumn(node.flags)});
    table.AddRow(std::move(cells));
  }
  return table;
}

// A note, and the ranks of the rows that have it.
struct RankedNote {
  std::string text;
  std::vector<size_t> ranks;
};

std::vector<RankedNote> NotesOf(const RecommendedNodes& list) {
  std::vector<RankedNote> notes;
  for (const RecommendedNode& node : list.nodes) {
    for (const std::string& text : node.flags.notes) {
      auto known = std::find_if(
          notes.begin(), notes.end(),
          [&](const RankedNote& note) { return note.text == text; });
      if (known == notes.end()) known = notes.insert(known, {text, {}});
      known->ranks.push_back(node.rank);
    }
  }
  return notes;
}

// "rank 3"; "ranks 1 to 4, 7".
std::string RankText(const std::vector<size_t>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (size_t begin = 0; begin < ranks.size();) {
    size_t end = begin + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    absl::StrAppend(&text, begin == 0 ? "" : ", ", ranks[begin]);
    if (end - begin > 1) absl::StrAppend(&text, " to ", ranks[end - 1]);
    begin = end;
  }
  return text;
}

std::string DrawFlagNotes(const RecommendedNodes& list,
                          const TextStyle& style) {
  const std::vector<RankedNote> notes = NotesOf(list);
  std::string drawn;
  const auto add = [&](const std::string& text) {
    WrappedLine line(style, 0);
    line.AddWords(TextColor::kPlain, text);
    drawn += line.Finish();
  };
  for (size_t i = 0; i < std::min(notes.size(), kMostNotes); ++i) {
    const bool of_all = notes[i].ranks.size() == list.nodes.size();
    add(absl::StrCat(
        "note", of_all ? "" : absl::StrCat(" on ", RankText(notes[i].ranks)),
        ": ", notes[i].text));
  }
  if (notes.size() > kMostNotes) {
    add(absl::StrCat("note: --json has ",
                     Plural(notes.size() - kMostNotes, "more note")));
  }
  return drawn;
}

// What a probability means: at which share of links it holds, and from where
// on it is a link.
std::string ProbabilityNote(const RecommendedNodes& list,
                            const RecommendReading& reading) {
  std::string note = "probability: whether it is a link at all";
  if (reading.prior > 0) {
    absl::StrAppendFormat(&note, ", if a share of %g of the pairs are links",
                          reading.prior);
  } else if (reading.base_rate > 0) {
    absl::StrAppendFormat(
        &note,
        ", if %.0f %% of the pairs are links (where they are rarer, say how "
        "rare with --prior)",
        100 * reading.base_rate);
  }
  if (reading.threshold <= 0) return note;
  absl::StrAppendFormat(&note, "; a link from %.4f on, the threshold of %s",
                        reading.threshold, reading.relation);
  const bool off_schema = std::any_of(
      list.nodes.begin(), list.nodes.end(), [](const RecommendedNode& node) {
        return node.flags.off_schema_source || node.flags.off_schema_target;
      });
  if (off_schema)
    note += ", which is higher where an end does not fit the relation";
  return note;
}

}  // namespace

std::string DrawRecommendations(const RecommendedNodes& list, bool flags,
                                const TextStyle& style) {
  const NodeLabels labels = LabelsOf(list);
  const std::string table = TableOf(list, labels, flags).Draw(style, 0);
  size_t begin = table.find('\n') + 1;
  std::string drawn = table.substr(0, begin);
  for (const RecommendedNode& node : list.nodes) {
    const size_t end = table.find('\n', begin) + 1;
    absl::StrAppend(&drawn, table.substr(begin, end - begin),
                    DrawPath(node, labels, style));
    begin = end;
  }
  return drawn;
}

std::string DrawRecommendNotes(const RecommendedNodes& list,
                               const RecommendReading& reading,
                               const TextStyle& style) {
  std::string drawn;
  for (const std::string& note :
       {std::string("order: by score, which compares nodes; the probabilities "
                    "are calibrated one by one, and need not fall from row to "
                    "row"),
        ProbabilityNote(list, reading),
        std::string("among kind: whether the node is the right one among its "
                    "kind")}) {
    WrappedLine line(style, 0);
    line.AddWords(TextColor::kFaint, note);
    drawn += line.Finish();
  }
  return drawn + DrawFlagNotes(list, style);
}

std::string RecommendLines(const RecommendedNodes& list, bool flags,
                           const TextStyle& style) {
  TextTable table(std::vector<TextTable::Column>(flags ? 7 : 6));
  for (const RecommendedNode& node : list.nodes) {
    std::vector<TextTable::Cell> cells = {
        {absl::StrCat(node.rank)},
        {node.node.key},
        {absl::StrFormat("%+.4f", node.score)},
        {absl::StrFormat("%.9g", node.probability)},
        {PathText(node, style)},
        {absl::StrFormat("%.9g", node.probability_among_kind)}};
    if (flags) cells.push_back({FlagColumn(node.flags)});
    table.AddRow(std::move(cells));
  }
  return table.TabSeparated();
}

}  // namespace slice
