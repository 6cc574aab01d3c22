// An import is one EdgeListImport, whose Run reads the files in the order that
// fixes the ids:
//
// 1. The node file, when there is one, fills the catalogue (ParseNode).
// 2. Each line of the training file becomes a link (ParseTrainLink). Without a
//    node file, new keys become nodes here. New relations always do.
// 3. The links are sorted and freed of duplicates (SortTrainLinks).
// 4. Each line of the held-out files becomes a labelled link
//    (ParseHeldOutLink). New keys become nodes here too, but a new relation is
//    an error.
// 5. The held-out links are checked against the training links
//    (graphstore/held_out_check.h).
//
// ReadLines is the loop over the lines of a file. A parser that returns an
// error must not have changed the graph, because Skip may let the line pass.
#include "graphstore/edge_list_importer.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "common/progress.h"
#include "common/sha256.h"
#include "common/status_macros.h"
#include "common/table/line_reader.h"
#include "common/table/link_rows.h"
#include "common/table/link_shape.h"
#include "common/table/text_fields.h"
#include "graphstore/assumed_columns.h"
#include "graphstore/graph_limits.h"
#include "graphstore/held_out_check.h"
#include "graphstore/node_rows.h"

namespace slice {
namespace {

constexpr uint64_t kProgressLines = 1 << 14;   // between two reports
constexpr uint64_t kProgressUnit = 1'000'000;  // bytes

absl::string_view AsAbsl(std::string_view text) {
  return {text.data(), text.size()};
}

// Gives texts dense ids in the order of their first appearance.
template <typename Id>
class Interner {
 public:
  std::optional<Id> Find(std::string_view text) const {
    const auto found = ids_.find(AsAbsl(text));
    if (found == ids_.end()) return std::nullopt;
    return found->second;
  }
  Id Add(std::string_view text) {
    return ids_.try_emplace(std::string(text), static_cast<Id>(ids_.size()))
        .first->second;
  }
  size_t size() const { return ids_.size(); }

 private:
  absl::flat_hash_map<std::string, Id> ids_;
};

// One import.
class EdgeListImport {
 public:
  explicit EdgeListImport(const EdgeListImportOptions& options)
      : options_(options),
        node_parser_(options.attribute_columns),
        link_parser_(LinkColumns()) {}

  absl::StatusOr<ImportedGraph> Run();

 private:
  using LineParser =
      std::optional<LineError> (EdgeListImport::*)(const TextLine& line);

  // Opens a file, recognises how it is written, and sets the parser of its
  // rows.
  absl::StatusOr<LineReader> OpenNodes();
  absl::StatusOr<LineReader> OpenLinks(const std::filesystem::path& path,
                                       const LinkShapeOptions& options);
  LinkShapeOptions HeldOutShape() const;
  // Passes each line of a file to `parse`. Returns the digest of the file's
  // text.
  absl::StatusOr<std::string> ReadLines(const std::filesystem::path& path,
                                        LineReader reader, LineParser parse);
  // Records the error and returns OK when max_errors allows one more skipped
  // line. Else returns the error.
  absl::Status Skip(const std::filesystem::path& path, const TextLine& line,
                    const LineError& error);

  std::optional<LineError> ParseNode(const TextLine& line);
  std::optional<LineError> ParseTrainLink(const TextLine& line);
  std::optional<LineError> ParseHeldOutLink(const TextLine& line);
  // Sets the ends of a link. New keys become nodes.
  std::optional<LineError> ResolveEnds(const TextField& source,
                                       const TextField& target, Link* link);
  std::optional<LineError> CheckRelation(const TextField& field) const;

  void AddNode(std::string_view key, std::string_view name, NodeTypeId type);
  RelationId AddRelation(std::string_view relation);
  void AddWeight(float weight);
  void SortTrainLinks();
  absl::Status ReadTrain();
  absl::Status ReadHeldOut();

  const EdgeListImportOptions& options_;
  NodeRowParser node_parser_;
  LinkRowParser link_parser_;  // of the file that is read
  LinkColumns train_columns_;
  Interner<NodeId> keys_;
  Interner<NodeTypeId> types_;
  Interner<RelationId> relations_;
  std::vector<HeldOutRow> held_out_rows_;
  ImportedGraph imported_;
};

absl::Status EdgeListImport::Skip(const std::filesystem::path& path,
                                  const TextLine& line,
                                  const LineError& error) {
  std::string message = DescribeLineError(path, line, error);
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

absl::StatusOr<LineReader> EdgeListImport::OpenNodes() {
  const std::filesystem::path& path = options_.nodes;
  SLICE_ASSIGN_OR_RETURN(LineReader reader, LineReader::Open(path));
  const std::string recognised = node_parser_.Recognise(&reader);
  if (!recognised.empty()) {
    imported_.summary.recognised.push_back(
        absl::StrCat(path.string(), ": ", recognised));
  }
  return reader;
}

absl::StatusOr<LineReader> EdgeListImport::OpenLinks(
    const std::filesystem::path& path, const LinkShapeOptions& options) {
  SLICE_ASSIGN_OR_RETURN(LineReader reader, LineReader::Open(path));
  SLICE_ASSIGN_OR_RETURN(LinkShape shape,
                         RecogniseLinks(path.string(), options, &reader));
  if (!shape.recognised.empty())
    imported_.summary.recognised.push_back(shape.recognised);
  link_parser_ = LinkRowParser(std::move(shape));
  return reader;
}

LinkShapeOptions EdgeListImport::HeldOutShape() const {
  LinkShapeOptions shape;
  shape.columns =
      options_.held_out_columns ? options_.held_out_columns : options_.columns;
  shape.format = options_.format;
  shape.usual = train_columns_;
  shape.may_have_label = true;
  return shape;
}

absl::StatusOr<std::string> EdgeListImport::ReadLines(
    const std::filesystem::path& path, LineReader reader, LineParser parse) {
  std::error_code unknown_size;
  const uintmax_t bytes = std::filesystem::file_size(path, unknown_size);
  ProgressLine progress(absl::StrCat("read ", path.filename().string()),
                        unknown_size ? 0 : bytes / kProgressUnit, "MB");
  uint64_t reported = 0;
  while (const auto line = reader.Next()) {
    if (const auto error = (this->*parse)(*line); error.has_value())
      SLICE_RETURN_IF_ERROR(Skip(path, *line, *error));
    if (reader.line_number() % kProgressLines == 0) {
      const uint64_t read = reader.position() / kProgressUnit;
      progress.Advance(read - reported);
      reported = read;
    }
  }
  SLICE_RETURN_IF_ERROR(reader.status());
  progress.Advance(reader.position() / kProgressUnit - reported);
  progress.Finish();
  return reader.TextDigest();
}

void EdgeListImport::AddNode(std::string_view key, std::string_view name,
                             NodeTypeId type) {
  keys_.Add(key);
  imported_.data.catalogue.nodes.push_back(
      {std::string(key),
       ReplaceControls(name, &imported_.summary.replaced_control_bytes), type});
}

std::optional<LineError> EdgeListImport::ParseNode(const TextLine& line) {
  NodeRow row;
  if (auto error = node_parser_.Parse(line, &row)) return error;
  if (row.key.text.empty()) return std::nullopt;  // the header
  const TextField& key = row.key;
  if (keys_.Find(key.text).has_value()) {
    return LineError{key.column, absl::StrCat("the key \"", AsAbsl(key.text),
                                              "\" occurs twice")};
  }
  if (keys_.size() >= options_.max_nodes) {
    return LineError{
        key.column,
        absl::StrCat("the limit of ", options_.max_nodes, " nodes is reached")};
  }
  if (!types_.Find(row.type.text).has_value() &&
      types_.size() >= kMostNodeTypes) {
    return LineError{row.type.column,
                     absl::StrCat("the limit of ", kMostNodeTypes,
                                  " node types is reached")};
  }
  AddNode(key.text, row.name.text.empty() ? key.text : row.name.text,
          types_.Add(row.type.text));
  if (types_.size() > imported_.data.catalogue.node_types.size())
    imported_.data.catalogue.node_types.emplace_back(row.type.text);
  std::vector<float>& values = imported_.attributes.values;
  values.insert(values.end(), row.attributes.begin(), row.attributes.end());
  return std::nullopt;
}

std::optional<LineError> EdgeListImport::ResolveEnds(const TextField& source,
                                                     const TextField& target,
                                                     Link* link) {
  size_t added = 0;
  for (const TextField* field : {&source, &target}) {
    if (keys_.Find(field->text).has_value()) continue;
    if (!options_.nodes.empty()) return UnknownKey(*field, options_.nodes);
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

std::optional<LineError> EdgeListImport::CheckRelation(
    const TextField& field) const {
  if (relations_.size() < kMostRelations || relations_.Find(field.text))
    return std::nullopt;
  return TooManyRelations(field);
}

RelationId EdgeListImport::AddRelation(std::string_view relation) {
  const RelationId id = relations_.Add(relation);
  std::vector<std::string>& relations = imported_.data.catalogue.relations;
  if (relations_.size() > relations.size()) relations.emplace_back(relation);
  return id;
}

void EdgeListImport::AddWeight(float weight) {
  if (!train_columns_.weight()) return;
  imported_.data.weights.push_back(weight);
}

std::optional<LineError> EdgeListImport::ParseTrainLink(const TextLine& line) {
  LinkRow row;
  if (auto error = link_parser_.Parse(line, &row)) return error;
  if (!row.positive) {
    return LineError{row.label_column,
                     "label 0: every row of a training file is a link; remove "
                     "this row"};
  }
  Link link;
  if (auto error = CheckRelation(row.relation)) return error;
  if (auto error = ResolveEnds(row.source, row.target, &link)) return error;
  link.relation = AddRelation(row.relation.text);
  imported_.data.links.push_back(link);
  AddWeight(row.weight);
  ++imported_.summary.lines;
  return std::nullopt;
}

std::optional<LineError> EdgeListImport::ParseHeldOutLink(
    const TextLine& line) {
  LinkRow row;
  if (auto error = link_parser_.Parse(line, &row)) return error;
  const auto relation = relations_.Find(row.relation.text);
  if (!relation.has_value()) {
    return LineError{row.relation.column,
                     absl::StrCat("the relation \"", AsAbsl(row.relation.text),
                                  "\" has no link in the training file ",
                                  options_.train.string())};
  }
  LabelledLink labelled;
  labelled.positive = row.positive;
  if (auto error = ResolveEnds(row.source, row.target, &labelled.link))
    return error;
  labelled.link.relation = *relation;
  imported_.held_out.back().push_back(labelled);
  held_out_rows_.push_back(
      {labelled, imported_.held_out.size() - 1, line.number});
  return std::nullopt;
}

void EdgeListImport::SortTrainLinks() {
  GraphData& data = imported_.data;
  imported_.summary.duplicates = SortLinks(&data);
  imported_.summary.self_loops = std::count_if(
      data.links.begin(), data.links.end(),
      [](const Link& link) { return link.source == link.target; });
  imported_.summary.weighted =
      std::count_if(data.weights.begin(), data.weights.end(),
                    [](float weight) { return weight != 1; });
}

absl::Status EdgeListImport::ReadTrain() {
  SLICE_ASSIGN_OR_RETURN(
      LineReader reader,
      OpenLinks(options_.train,
                {.columns = options_.columns, .format = options_.format}));
  train_columns_ = link_parser_.columns();
  SLICE_RETURN_IF_ERROR(ReadLines(options_.train, std::move(reader),
                                  &EdgeListImport::ParseTrainLink)
                            .status());
  if (!link_parser_.columns_assumed()) return absl::OkStatus();
  return CheckAssumedColumns(options_.train.string(), imported_.data.links);
}

absl::Status EdgeListImport::ReadHeldOut() {
  std::string digests;
  for (const std::filesystem::path& path : options_.held_out) {
    imported_.held_out.emplace_back();
    SLICE_ASSIGN_OR_RETURN(LineReader reader, OpenLinks(path, HeldOutShape()));
    SLICE_ASSIGN_OR_RETURN(
        const std::string digest,
        ReadLines(path, std::move(reader), &EdgeListImport::ParseHeldOutLink));
    digests.append(digest);
  }
  if (digests.empty()) return absl::OkStatus();
  if (link_parser_.columns() != LinkColumns().WithOptionalLabel())
    digests.append(Sha256Bytes(link_parser_.columns().ToString()));
  imported_.split_digest = Sha256Bytes(digests);
  SLICE_ASSIGN_OR_RETURN(
      const HeldOutCounts counts,
      CheckHeldOut(options_, imported_.data, held_out_rows_));
  imported_.summary.held_out_links = counts.links;
  imported_.summary.held_out_duplicates = counts.duplicates;
  imported_.summary.held_out_shared = counts.shared;
  imported_.summary.held_out_pairs_linked = counts.pairs_linked;
  imported_.summary.held_out_only_nodes = counts.unlinked_nodes;
  return absl::OkStatus();
}

absl::StatusOr<ImportedGraph> EdgeListImport::Run() {
  if (options_.nodes.empty()) {
    if (!options_.attribute_columns.empty()) {
      return absl::InvalidArgumentError(
          "attribute columns are columns of a node file, but none is given; "
          "give a node file or no attribute columns");
    }
    imported_.data.catalogue.node_types.emplace_back(kOnlyNodeType);
  } else {
    imported_.attributes.names = options_.attribute_columns;
    SLICE_ASSIGN_OR_RETURN(LineReader reader, OpenNodes());
    SLICE_RETURN_IF_ERROR(
        ReadLines(options_.nodes, std::move(reader), &EdgeListImport::ParseNode)
            .status());
  }
  SLICE_RETURN_IF_ERROR(ReadTrain());
  SortTrainLinks();
  if (imported_.data.links.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(options_.train.string(), ":1:1: there is no link"));
  }
  SLICE_RETURN_IF_ERROR(ReadHeldOut());
  return std::move(imported_);
}

}  // namespace

absl::StatusOr<ImportedGraph> ImportEdgeList(
    const EdgeListImportOptions& options) {
  return EdgeListImport(options).Run();
}

}  // namespace slice
