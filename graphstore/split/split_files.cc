#include "graphstore/split/split_files.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/files.h"
#include "common/status_macros.h"
#include "common/table/text_output.h"
#include "common/thousands.h"
#include "graphstore/split/link_split.h"
#include "graphstore/split/split_negatives.h"
#include "graphstore/tab_fields.h"

namespace slice {
namespace {

// Figures of a relation with fewer held-out links say little.
constexpr uint64_t kFewRows = 20;
constexpr size_t kShownRelations = 5;

constexpr char kRelationColumn[] = "relation";
constexpr char kSourceColumn[] = "source";
constexpr char kTargetColumn[] = "target";
constexpr char kWeightColumn[] = "weight";
constexpr char kLabelColumn[] = "label";

struct SplitRows {
  const SplitInput& input;
  const std::vector<SplitPart>& parts;
  SplitNegatives valid, test;
};

std::string Row(const SplitInput& input, const Link& link) {
  std::string row;
  AppendTabFields(
      std::array<std::string_view, 3>{input.relations[link.relation],
                                      input.keys[link.source],
                                      input.keys[link.target]},
      /*quote_all=*/false, &row);
  return row;
}

// The name of a column of keys. No key may have it, since a reader would take
// the row for a repeated header. Signs in a name do not count.
std::string KeyColumn(const SplitInput& input, const char* name) {
  std::string free = name;
  while (std::binary_search(input.keys.begin(), input.keys.end(), free))
    free.push_back('_');
  return free;
}

// The header of a file, without its line end. `last` names the fourth column;
// there is none when it is empty.
std::string Header(const SplitInput& input, std::string_view last) {
  const std::string source = KeyColumn(input, kSourceColumn);
  const std::string target = KeyColumn(input, kTargetColumn);
  std::vector<std::string_view> names = {kRelationColumn, source, target};
  if (!last.empty()) names.push_back(last);
  const bool quoted =
      std::any_of(input.keys.begin(), input.keys.end(), NeedsQuotes) ||
      std::any_of(input.relations.begin(), input.relations.end(),
                  FirstNeedsQuotes);
  std::string row;
  AppendTabFields(names, /*quote_all=*/quoted, &row);
  return row;
}

void AppendTrain(const SplitRows& rows, TextOutput* out) {
  const bool weighted = !rows.input.weights.empty();
  out->Append(Header(rows.input, weighted ? kWeightColumn : "") + "\n");
  for (size_t i = 0; i < rows.parts.size(); ++i) {
    if (rows.parts[i] != SplitPart::kTrain) continue;
    std::string row = Row(rows.input, rows.input.links[i]);
    if (weighted) {
      row.push_back('\t');
      AppendFloat(rows.input.weights[i], &row);
    }
    out->Append(row + "\n");
  }
}

// The links of a part and its non-links, in one order.
void AppendHeldOut(const SplitRows& rows, SplitPart part, TextOutput* out) {
  out->Append(Header(rows.input, kLabelColumn) + "\n");
  const SplitNegatives& negatives =
      part == SplitPart::kValid ? rows.valid : rows.test;
  std::vector<std::pair<Link, int>> all;
  for (const Link& link : negatives.links) all.push_back({link, 0});
  for (size_t i = 0; i < rows.parts.size(); ++i) {
    if (rows.parts[i] == part) all.push_back({rows.input.links[i], 1});
  }
  std::sort(all.begin(), all.end());
  for (const auto& [link, label] : all)
    out->Append(absl::StrCat(Row(rows.input, link), "\t", label, "\n"));
}

absl::Status WriteFiles(const SplitRows& rows,
                        const std::filesystem::path& directory) {
  SLICE_RETURN_IF_ERROR(CreateDirectories(directory));
  const SplitPaths paths(directory);
  std::vector<std::unique_ptr<TextOutput>> files;
  for (const std::filesystem::path& path : paths.all()) {
    SLICE_ASSIGN_OR_RETURN(files.emplace_back(), TextOutput::Create(path));
  }
  AppendTrain(rows, files[0].get());
  AppendHeldOut(rows, SplitPart::kValid, files[1].get());
  AppendHeldOut(rows, SplitPart::kTest, files[2].get());
  return CommitAll(files);
}

uint64_t CountHeldOutOnly(const SplitInput& input,
                          const std::vector<SplitPart>& parts) {
  enum : uint8_t { kUnseen, kHeldOut, kTrained };
  std::vector<uint8_t> seen(input.keys.size(), kUnseen);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == SplitPart::kNone) continue;
    const uint8_t now = parts[i] == SplitPart::kTrain ? kTrained : kHeldOut;
    for (const NodeId node : {input.links[i].source, input.links[i].target})
      seen[node] = std::max(seen[node], now);
  }
  return std::count(seen.begin(), seen.end(), kHeldOut);
}

SplitSummary Summarise(const SplitRows& rows) {
  SplitSummary summary;
  for (const std::string& relation : rows.input.relations)
    summary.relations.push_back({.relation = relation});
  for (size_t i = 0; i < rows.parts.size(); ++i) {
    RelationSplit& relation = summary.relations[rows.input.links[i].relation];
    switch (rows.parts[i]) {
      case SplitPart::kTrain:
        ++summary.train, ++relation.train;
        break;
      case SplitPart::kValid:
        ++summary.valid, ++relation.valid;
        break;
      case SplitPart::kTest:
        ++summary.test, ++relation.test;
        break;
      case SplitPart::kNone:
        ++summary.left_out;
        break;
    }
  }
  summary.valid_negatives = rows.valid.links.size();
  summary.test_negatives = rows.test.links.size();
  summary.missing_negatives = rows.valid.missing + rows.test.missing;
  summary.repeated_rows = rows.input.repeated_rows;
  summary.held_out_only_nodes = CountHeldOutOnly(rows.input, rows.parts);
  summary.recognised = rows.input.recognised;
  summary.has_weights = !rows.input.weights.empty();
  return summary;
}

std::string RuleText(const SplitOptions& options) {
  switch (options.rule) {
    case SplitRule::kRandom:
      return absl::StrCat("at random by pairs of nodes (seed ", options.seed,
                          ")");
    case SplitRule::kTime:
      return "by time: the latest links are held out";
    case SplitRule::kNewest:
      return "by the order of rows: the last links are held out";
    case SplitRule::kNodes:
      break;
  }
  return absl::StrCat(
      "by sources drawn at random (seed ", options.seed, "): ",
      options.relation.empty()
          ? "all their links are held out"
          : "their links of " + options.relation + " are held out");
}

// The relations whose figures say little; empty when there are none.
std::string FewRowsText(const SplitSummary& summary) {
  std::vector<std::string> few;
  for (const RelationSplit& relation : summary.relations) {
    if (std::min(relation.valid, relation.test) >= kFewRows) continue;
    few.push_back(absl::StrCat(relation.relation, " (", relation.valid, " and ",
                               relation.test, ")"));
  }
  if (few.empty()) return "";
  const size_t hidden = few.size() - std::min(few.size(), kShownRelations);
  few.resize(few.size() - hidden);
  return absl::StrCat(
      "fewer than ", kFewRows,
      " links in valid or test, so that figures of the relation say little: ",
      absl::StrJoin(few, ", "),
      hidden > 0 ? absl::StrCat(" and ", hidden, " more") : "");
}

}  // namespace

absl::StatusOr<SplitSummary> WriteSplit(
    const SplitOptions& options, const std::filesystem::path& directory) {
  SLICE_RETURN_IF_ERROR(options.Validate());
  SLICE_ASSIGN_OR_RETURN(const SplitInput input, ReadSplitInput(options));
  SLICE_ASSIGN_OR_RETURN(const std::vector<SplitPart> parts,
                         SplitLinks(input, options));
  const SplitRows rows{
      input, parts,
      DrawNegatives(input, parts, SplitPart::kValid, options.seed),
      DrawNegatives(input, parts, SplitPart::kTest, options.seed)};
  if (rows.valid.links.empty() || rows.test.links.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        options.links.string(), ": every pair of the ", input.keys.size(),
        " nodes is a link, so there is no non-link to measure with"));
  }
  SLICE_RETURN_IF_ERROR(WriteFiles(rows, directory));
  return Summarise(rows);
}

void ReadAsSplit(bool has_weights, EdgeListImportOptions* options) {
  options->format = {
      .separator = Separator::kTab, .quoted = true, .header = true};
  options->columns = *LinkColumns::Parse(
      has_weights ? "relation,source,target,weight" : "relation,source,target");
  options->held_out_columns =
      *LinkColumns::Parse("relation,source,target,label");
}

std::vector<std::string> DescribeSplit(const SplitOptions& options,
                                       const SplitSummary& summary) {
  const auto count = [](uint64_t n, const char* what) {
    return absl::StrCat(FormatThousands(n), " ", what);
  };
  std::vector<std::string> lines = {
      absl::StrCat(
          "split ", RuleText(options),
          options.learned == nullptr
              ? ""
              : "; the train links of the older bundle stay in train, and "
                "the shares are of the others"),
      absl::StrCat("train ", count(summary.train, "links; valid "),
                   count(summary.valid, "links and "),
                   count(summary.valid_negatives, "non-links; test "),
                   count(summary.test, "links and "),
                   count(summary.test_negatives, "non-links")),
      "half of the non-links keep the source and draw the target among the "
      "targets of the relation in train; a quarter draw the target, and a "
      "quarter both ends, among all nodes; none is a link"};
  if (summary.repeated_rows > 0)
    lines.push_back(count(summary.repeated_rows, "repeated rows, collapsed"));
  if (summary.held_out_only_nodes > 0) {
    lines.push_back(absl::StrCat("nodes that have held-out links alone: ",
                                 FormatThousands(summary.held_out_only_nodes),
                                 "; they stay in the catalogue and are cold"));
  }
  if (summary.left_out > 0) {
    lines.push_back(count(summary.left_out,
                          "held-out links are in no file: their relations have "
                          "no link in train"));
  }
  if (summary.missing_negatives > 0) {
    lines.push_back(count(summary.missing_negatives,
                          "held-out links have no non-link: nearly every pair "
                          "is linked"));
  }
  const std::string few = FewRowsText(summary);
  if (!few.empty()) lines.push_back(few);
  return lines;
}

}  // namespace slice
