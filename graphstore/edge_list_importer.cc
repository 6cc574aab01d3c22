#include "graphstore/edge_list_importer.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "graphstore/edge_list_reader.h"
#include "graphstore/held_out_check.h"

namespace slice {
namespace {

constexpr uint64_t kProgressLines = 1 << 14;
constexpr size_t kMostRelations = std::numeric_limits<RelationId>::max();
constexpr size_t kMostNodeTypes = std::numeric_limits<NodeTypeId>::max();

absl::string_view AsAbsl(std::string_view text) {
  return {text.data(), text.size()};
}

// Dense ids for texts in order of first appearance. The texts must outlive it.
template <typename Id>
class Interner {
 public:
  std::optional<Id> Find(std::string_view text) const {
    const auto found = ids_.find(AsAbsl(text));
    if (found == ids_.end()) return std::nullopt;
    return found->second;
  }
  Id Add(std::string_view text) {
    return ids_.try_emplace(AsAbsl(text), static_cast<Id>(ids_.size()))
        .first->second;
  }
  size_t size() const { return ids_.size(); }

 private:
  absl::flat_hash_map<absl::string_view, Id> ids_;
};

// One import: reads the files in the order that fixes the ids. Kept texts point
// into the file contents, which live as long as the import.
class EdgeListImport {
 public:
  explicit EdgeListImport(const EdgeListImportOptions& options)
      : options_(options) {}

  absl::StatusOr<ImportedGraph> Run();

 private:
  using LineParser =
      std::optional<LineError> (EdgeListImport::*)(const TextLine& line);

  absl::StatusOr<std::string_view> ReadKept(const std::filesystem::path& path);
  absl::Status ReadLines(const std::filesystem::path& path, LineParser parse);
  absl::Status Skip(const std::filesystem::path& path, const TextLine& line,
                    const LineError& error);

  std::optional<LineError> ParseNode(const TextLine& line);
  std::optional<LineError> ParseTrainLink(const TextLine& line);
  std::optional<LineError> ParseHeldOutLink(const TextLine& line);
  std::optional<LineError> CheckLinkFields();
  std::optional<LineError> ResolveEnds(const TextField& source,
                                       const TextField& target, Link* link);
  std::optional<LineError> AddRelation(const TextField& field, Link* link);

  void AddNode(std::string_view key, std::string_view name, NodeTypeId type);
  void SortLinks();

  const EdgeListImportOptions& options_;
  std::vector<std::unique_ptr<const std::string>> contents_;
  std::vector<TextField> fields_;  // of the line being read
  Interner<NodeId> keys_;
  Interner<NodeTypeId> types_;
  Interner<RelationId> relations_;
  std::vector<HeldOutRow> positives_;
  ImportedGraph imported_;
};

absl::StatusOr<std::string_view> EdgeListImport::ReadKept(
    const std::filesystem::path& path) {
  SLICE_ASSIGN_OR_RETURN(std::string bytes, ReadFile(path));
  contents_.push_back(std::make_unique<const std::string>(std::move(bytes)));
  return std::string_view(*contents_.back());
}

absl::Status EdgeListImport::Skip(const std::filesystem::path& path,
                                  const TextLine& line,
                                  const LineError& error) {
  std::string message = absl::StrCat(path.string(), ":", line.number, ":",
                                     error.column, ": ", error.reason);
  std::vector<std::string>& skipped = imported_.summary.skipped;
  if (static_cast<int64_t>(skipped.size()) < options_.max_errors) {
    skipped.push_back(std::move(message));
    return absl::OkStatus();
  }
  if (!skipped.empty()) {
    absl::StrAppend(&message, " (after ", skipped.size(),
                    " skipped lines, the first: ", skipped.front(), ")");
  }
  return absl::InvalidArgumentError(message);
}

absl::Status EdgeListImport::ReadLines(const std::filesystem::path& path,
                                       LineParser parse) {
  SLICE_ASSIGN_OR_RETURN(const std::string_view text, ReadKept(path));
  ProgressLine progress(
      absl::StrCat("read ", path.filename().string()),
      static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n')),
      "lines");
  LineReader reader(text);
  uint64_t reported = 0;
  while (const auto line = reader.Next()) {
    SplitFields(line->text, &fields_);
    if (const auto error = (this->*parse)(*line); error.has_value())
      SLICE_RETURN_IF_ERROR(Skip(path, *line, *error));
    if (reader.line_number() - reported >= kProgressLines) {
      progress.Advance(reader.line_number() - reported);
      reported = reader.line_number();
    }
  }
  progress.Advance(reader.line_number() - reported);
  progress.Finish();
  return absl::OkStatus();
}

void EdgeListImport::AddNode(std::string_view key, std::string_view name,
                             NodeTypeId type) {
  keys_.Add(key);
  imported_.data.catalogue.nodes.push_back(
      {std::string(key),
       ReplaceControls(name, &imported_.summary.replaced_control_bytes), type});
}

std::optional<LineError> EdgeListImport::ParseNode(const TextLine& line) {
  if (line.text.find('\t') == std::string_view::npos) {
    return LineError{line.text.size() + 1,
                     "missing field: a node is key, type and name, separated "
                     "by tabs"};
  }
  const TextField& key = fields_[0];
  if (imported_.data.catalogue.nodes.empty() && line.number == 1 &&
      (key.text == "id" || key.text == "key"))
    return std::nullopt;
  if (auto error =
          CheckFieldCount(line, fields_, 3, 3, {"key", "type", "name"}))
    return error;
  if (auto error = CheckIdentifier(key, "key")) return error;
  if (auto error = CheckIdentifier(fields_[1], "type")) return error;
  const TextField& name = fields_[2];
  if (const auto invalid = FindInvalidUtf8(name.text))
    return LineError{name.column + *invalid, "invalid UTF-8 in the name"};
  if (keys_.Find(key.text).has_value()) {
    return LineError{key.column, absl::StrCat("the key \"", AsAbsl(key.text),
                                              "\" is there already")};
  }
  if (keys_.size() >= options_.max_nodes) {
    return LineError{
        key.column,
        absl::StrCat("the limit of ", options_.max_nodes, " nodes is reached")};
  }
  if (!types_.Find(fields_[1].text).has_value() &&
      types_.size() >= kMostNodeTypes) {
    return LineError{fields_[1].column,
                     absl::StrCat("the limit of ", kMostNodeTypes,
                                  " node types is reached")};
  }
  AddNode(key.text, name.text.empty() ? key.text : name.text,
          types_.Add(fields_[1].text));
  if (types_.size() > imported_.data.catalogue.node_types.size())
    imported_.data.catalogue.node_types.emplace_back(fields_[1].text);
  return std::nullopt;
}

std::optional<LineError> EdgeListImport::CheckLinkFields() {
  if (auto error = CheckIdentifier(fields_[0], "relation")) return error;
  if (auto error = CheckIdentifier(fields_[1], "source")) return error;
  return CheckIdentifier(fields_[2], "target");
}

std::optional<LineError> EdgeListImport::ResolveEnds(const TextField& source,
                                                     const TextField& target,
                                                     Link* link) {
  size_t added = 0;
  for (const TextField* field : {&source, &target}) {
    if (keys_.Find(field->text).has_value()) continue;
    if (!options_.nodes.empty()) {
      return LineError{
          field->column,
          absl::StrCat("the key \"", AsAbsl(field->text),
                       "\" is not in the node file ", options_.nodes.string())};
    }
    if (field == &target && target.text == source.text) continue;
    if (keys_.size() + ++added > options_.max_nodes) {
      return LineError{field->column,
                       absl::StrCat("the limit of ", options_.max_nodes,
                                    " nodes is reached")};
    }
  }
  for (const TextField* field : {&source, &target}) {
    if (!keys_.Find(field->text).has_value())
      AddNode(field->text, field->text, /*type=*/0);
  }
  link->source = *keys_.Find(source.text);
  link->target = *keys_.Find(target.text);
  return std::nullopt;
}

std::optional<LineError> EdgeListImport::AddRelation(const TextField& field,
                                                     Link* link) {
  if (!relations_.Find(field.text).has_value()) {
    if (relations_.size() >= kMostRelations) {
      return LineError{field.column,
                       absl::StrCat("the limit of ", kMostRelations,
                                    " relations is reached")};
    }
    imported_.data.catalogue.relations.emplace_back(field.text);
  }
  link->relation = relations_.Add(field.text);
  return std::nullopt;
}

std::optional<LineError> EdgeListImport::ParseTrainLink(const TextLine& line) {
  if (auto error = CheckFieldCount(line, fields_, 3, 3,
                                   {"relation", "source", "target"})) {
    if (fields_.size() == 4)
      error->reason += " (only held-out files have labels)";
    return error;
  }
  if (auto error = CheckLinkFields()) return error;
  Link link;
  if (auto error = ResolveEnds(fields_[1], fields_[2], &link)) return error;
  if (auto error = AddRelation(fields_[0], &link)) return error;
  imported_.data.links.push_back(link);
  ++imported_.summary.lines;
  return std::nullopt;
}

std::optional<LineError> EdgeListImport::ParseHeldOutLink(
    const TextLine& line) {
  if (auto error = CheckFieldCount(line, fields_, 3, 4,
                                   {"relation", "source", "target", "label"}))
    return error;
  if (auto error = CheckLinkFields()) return error;
  LabelledLink labelled;
  if (fields_.size() == 4) {
    const TextField& label = fields_[3];
    if (label.text != "0" && label.text != "1") {
      return LineError{label.column,
                       label.text.empty()
                           ? "empty field: the label"
                           : absl::StrCat("bad label \"", AsAbsl(label.text),
                                          "\": it must be 1 or 0")};
    }
    labelled.positive = label.text == "1";
  }
  const auto relation = relations_.Find(fields_[0].text);
  if (!relation.has_value()) {
    return LineError{fields_[0].column,
                     absl::StrCat("the relation \"", AsAbsl(fields_[0].text),
                                  "\" has no link in the training file ",
                                  options_.train.string())};
  }
  if (auto error = ResolveEnds(fields_[1], fields_[2], &labelled.link))
    return error;
  labelled.link.relation = *relation;
  imported_.held_out.back().push_back(labelled);
  if (labelled.positive) {
    positives_.push_back(
        {labelled.link, imported_.held_out.size() - 1, line.number});
  }
  return std::nullopt;
}

void EdgeListImport::SortLinks() {
  std::vector<Link>& links = imported_.data.links;
  const size_t rows = links.size();
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  imported_.summary.duplicates = rows - links.size();
  imported_.summary.self_loops = std::count_if(
      links.begin(), links.end(),
      [](const Link& link) { return link.source == link.target; });
}

absl::StatusOr<ImportedGraph> EdgeListImport::Run() {
  if (options_.nodes.empty()) {
    imported_.data.catalogue.node_types.push_back("node");
  } else {
    SLICE_RETURN_IF_ERROR(
        ReadLines(options_.nodes, &EdgeListImport::ParseNode));
  }
  SLICE_RETURN_IF_ERROR(
      ReadLines(options_.train, &EdgeListImport::ParseTrainLink));
  SortLinks();
  if (imported_.data.links.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(options_.train.string(), ":1:1: there is no link"));
  }
  std::string digests;
  for (const std::filesystem::path& path : options_.held_out) {
    imported_.held_out.emplace_back();
    SLICE_RETURN_IF_ERROR(ReadLines(path, &EdgeListImport::ParseHeldOutLink));
    digests.append(Sha256Bytes(*contents_.back()));
  }
  if (!digests.empty()) imported_.split_digest = Sha256Bytes(digests);
  SLICE_RETURN_IF_ERROR(CheckHeldOut(options_, imported_.data,
                                     imported_.held_out, positives_,
                                     &imported_.summary));
  return std::move(imported_);
}

}  // namespace

absl::StatusOr<ImportedGraph> ImportEdgeList(
    const EdgeListImportOptions& options) {
  return EdgeListImport(options).Run();
}

}  // namespace slice
