// The rows are read once, with ids in the order of first appearance. Then the
// keys and the relations are sorted, the ids renamed, and the links sorted and
// freed of repetitions.
#include "graphstore/split/split_input.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "common/status_macros.h"
#include "common/table/line_reader.h"
#include "common/table/link_rows.h"
#include "common/table/link_shape.h"
#include "graphstore/assumed_columns.h"
#include "graphstore/graph_limits.h"
#include "graphstore/node_rows.h"

namespace slice {
namespace {

// One link row as it was read.
struct ReadLink {
  Link link;
  float weight = 1;
  double seen = 0;

  bool operator<(const ReadLink& other) const { return link < other.link; }
};

// Texts with ids in the order of their first appearance.
class Texts {
 public:
  size_t Add(std::string_view text) {
    return ids_.try_emplace(std::string(text), ids_.size()).first->second;
  }
  size_t size() const { return ids_.size(); }
  bool Has(std::string_view text) const {
    return ids_.contains(absl::string_view(text.data(), text.size()));
  }
  // The texts in order. Sets the place of each id in it.
  std::vector<std::string> Sorted(std::vector<size_t>* places) const {
    std::vector<std::pair<std::string, size_t>> all(ids_.begin(), ids_.end());
    std::sort(all.begin(), all.end());
    std::vector<std::string> sorted;
    places->resize(all.size());
    for (auto& [text, id] : all) {
      (*places)[id] = sorted.size();
      sorted.push_back(std::move(text));
    }
    return sorted;
  }

 private:
  absl::flat_hash_map<std::string, size_t> ids_;
};

// One reading.
class SplitReader {
 public:
  explicit SplitReader(const SplitOptions& options) : options_(options) {}

  absl::StatusOr<SplitInput> Run();

 private:
  absl::Status ReadNodes();
  absl::Status ReadLinks();
  std::optional<LineError> Add(const LinkRow& row);
  std::optional<LineError> ReadTime(const TextField& field, double* seen);
  void Sort();

  const SplitOptions& options_;
  Texts keys_, relations_;
  std::vector<ReadLink> links_;
  bool has_weights_ = false;
  bool columns_assumed_ = false;
  std::optional<LinkTimeKind> times_;  // of the rows so far
  SplitInput input_;
};

absl::Status SplitReader::ReadNodes() {
  if (options_.nodes.empty()) return absl::OkStatus();
  SLICE_ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(options_.nodes));
  NodeRowParser rows({});
  input_.recognised.push_back(
      absl::StrCat(options_.nodes.string(), ": ", rows.Recognise(&lines)));
  while (const auto line = lines.Next()) {
    NodeRow row;
    if (const auto error = rows.Parse(*line, &row)) {
      return absl::InvalidArgumentError(
          DescribeLineError(options_.nodes, *line, *error));
    }
    if (!row.key.text.empty()) keys_.Add(row.key.text);
  }
  return lines.status();
}

// Numbers and dates have no common order: 2025 may be a year or a second.
std::optional<LineError> SplitReader::ReadTime(const TextField& field,
                                               double* seen) {
  LinkTimeKind kind = LinkTimeKind::kNumber;
  const auto time = ParseLinkTime(field.text, &kind);
  const std::string text(field.text);
  if (!time) {
    return LineError{
        field.column,
        absl::StrCat("bad time \"", text,
                     "\": it must be a number, or a date such as 2026-11-25 "
                     "or 2026-11-25T10:30:00Z")};
  }
  if (times_.value_or(kind) != kind) {
    const bool is_date = kind == LinkTimeKind::kDate;
    return LineError{
        field.column,
        absl::StrCat("the time \"", text, "\" is a ",
                     is_date ? "date, and the times above are numbers"
                             : "number, and the times above are dates",
                     "; write all times as numbers or all as dates")};
  }
  times_ = kind;
  *seen = *time;
  return std::nullopt;
}

std::optional<LineError> SplitReader::Add(const LinkRow& row) {
  if (!row.positive) {
    return LineError{row.label_column,
                     "label 0: every row of a file to split is a link; remove "
                     "this row"};
  }
  for (const TextField& end : {row.source, row.target}) {
    if (!options_.nodes.empty() && !keys_.Has(end.text))
      return UnknownKey(end, options_.nodes);
  }
  if (relations_.size() >= kMostRelations && !relations_.Has(row.relation.text))
    return TooManyRelations(row.relation);
  ReadLink read;
  read.seen = double(links_.size());
  if (options_.rule == SplitRule::kTime) {
    if (auto error = ReadTime(row.time, &read.seen)) return error;
  }
  read.link = {static_cast<NodeId>(keys_.Add(row.source.text)),
               static_cast<RelationId>(relations_.Add(row.relation.text)),
               static_cast<NodeId>(keys_.Add(row.target.text))};
  read.weight = row.weight;
  links_.push_back(read);
  return std::nullopt;
}

absl::Status SplitReader::ReadLinks() {
  const std::filesystem::path& path = options_.links;
  EdgeListImportOptions texts;
  SLICE_RETURN_IF_ERROR(ApplyLinkFileTexts(options_.link_files, &texts));
  SLICE_ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(path));
  SLICE_ASSIGN_OR_RETURN(
      LinkShape shape,
      RecogniseLinks(path.string(),
                     {.columns = texts.columns, .format = texts.format},
                     &lines));
  if (!shape.recognised.empty()) input_.recognised.push_back(shape.recognised);
  if (options_.rule == SplitRule::kTime && !shape.columns.time()) {
    return absl::InvalidArgumentError(absl::StrCat(
        path.string(),
        ": a split by time needs a column of times; name it in "
        "the header (time, date, year or timestamp) or with --columns, such as "
        "--columns source,relation,target,time"));
  }
  has_weights_ = shape.columns.weight().has_value();
  LinkRowParser rows(std::move(shape));
  LinkRow row;
  while (const auto line = lines.Next()) {
    auto error = rows.Parse(*line, &row);
    if (!error) error = Add(row);
    if (error) {
      return absl::InvalidArgumentError(DescribeLineError(path, *line, *error));
    }
  }
  SLICE_RETURN_IF_ERROR(lines.status());
  columns_assumed_ = rows.columns_assumed();
  if (!links_.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(path.string(), ":1:1: there is no link"));
}

void SplitReader::Sort() {
  std::vector<size_t> key_places, relation_places;
  input_.keys = keys_.Sorted(&key_places);
  input_.relations = relations_.Sorted(&relation_places);
  for (ReadLink& read : links_) {
    Link& link = read.link;
    link = {static_cast<NodeId>(key_places[link.source]),
            static_cast<RelationId>(relation_places[link.relation]),
            static_cast<NodeId>(key_places[link.target])};
  }
  std::sort(links_.begin(), links_.end());
  const bool has_order =
      options_.rule == SplitRule::kTime || options_.rule == SplitRule::kNewest;
  for (const ReadLink& read : links_) {
    if (!input_.links.empty() && input_.links.back() == read.link) {
      ++input_.repeated_rows;
      if (has_weights_)
        input_.weights.back() = std::max(input_.weights.back(), read.weight);
      if (has_order)
        input_.first_seen.back() =
            std::min(input_.first_seen.back(), read.seen);
      continue;
    }
    input_.links.push_back(read.link);
    if (has_weights_) input_.weights.push_back(read.weight);
    if (has_order) input_.first_seen.push_back(read.seen);
  }
}

absl::StatusOr<SplitInput> SplitReader::Run() {
  SLICE_RETURN_IF_ERROR(ReadNodes());
  SLICE_RETURN_IF_ERROR(ReadLinks());
  Sort();
  if (columns_assumed_) {
    SLICE_RETURN_IF_ERROR(
        CheckAssumedColumns(options_.links.string(), input_.links));
  }
  return std::move(input_);
}

}  // namespace

std::optional<double> ParseLinkTime(std::string_view text, LinkTimeKind* kind) {
  const std::string copy(text);
  double number = 0;
  if (kind != nullptr) *kind = LinkTimeKind::kNumber;
  if (absl::SimpleAtod(copy, &number)) {
    if (number - number != 0) return std::nullopt;  // infinite or NaN
    return number;
  }
  for (const char* format :
       {absl::RFC3339_full, "%Y-%m-%d %H:%M:%E*S", "%Y-%m-%dT%H:%M:%E*S",
        "%Y-%m-%d %H:%M", "%Y-%m-%d", "%Y-%m", "%Y/%m/%d"}) {
    absl::Time time;
    if (!absl::ParseTime(format, copy, &time, nullptr)) continue;
    if (kind != nullptr) *kind = LinkTimeKind::kDate;
    return absl::ToDoubleSeconds(time - absl::UnixEpoch());
  }
  return std::nullopt;
}

absl::StatusOr<SplitInput> ReadSplitInput(const SplitOptions& options) {
  return SplitReader(options).Run();
}

}  // namespace slice
