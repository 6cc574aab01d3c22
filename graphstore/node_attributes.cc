// Attributes come from node files (NodeRowParser) and from NumPy matrices
// (ReadAttributeMatrix); AppendAttributes joins them. StandardizeAttributes
// then makes the table that the network reads: first one column per attribute,
// then one indicator per set of nodes that lack an attribute (MissingColumns).
// Until then NaN means missing; the table has no NaN.
#include "graphstore/node_attributes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "common/npy_file.h"
#include "common/status_macros.h"
#include "common/table/line_reader.h"
#include "common/table/text_fields.h"

namespace slice {
namespace {

// A deviation below this share of the mean is rounding.
constexpr double kLeastDeviation = 1e-7;

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

using NodesByKey = absl::flat_hash_map<absl::string_view, NodeId>;

// A key may be in quotes. One that begins with # must be: a line that begins
// with it is a comment.
NodesByKey::const_iterator FindLineKey(const NodesByKey& ids,
                                       std::string_view line) {
  const auto found = ids.find({line.data(), line.size()});
  if (found != ids.end()) return found;
  FieldSplitter splitter({Separator::kTab, /*quoted=*/true});
  std::vector<TextField> fields;
  if (splitter.Split(line, &fields) || fields.size() != 1) return found;
  return ids.find({fields[0].text.data(), fields[0].text.size()});
}

// The node of each row; kNoNode for a row whose key is no node.
absl::StatusOr<std::vector<NodeId>> ReadRowNodes(
    const std::filesystem::path& keys, size_t rows,
    const GraphCatalogue& catalogue) {
  NodesByKey ids;
  for (NodeId id = 0; id < catalogue.nodes.size(); ++id)
    ids.emplace(catalogue.nodes[id].key, id);
  std::vector<NodeId> nodes;
  std::vector<char> seen(catalogue.nodes.size(), 0);
  SLICE_ASSIGN_OR_RETURN(LineReader lines, LineReader::Open(keys));
  while (const auto line = lines.Next()) {
    const auto found = FindLineKey(ids, line->text);
    nodes.push_back(found == ids.end() ? kNoNode : found->second);
    if (found == ids.end() || seen[found->second]++ == 0) continue;
    return absl::InvalidArgumentError(DescribeLineError(
        keys, *line,
        {1, absl::StrCat("the key \"", found->first, "\" occurs twice")}));
  }
  SLICE_RETURN_IF_ERROR(lines.status());
  if (nodes.size() != rows) {
    return absl::InvalidArgumentError(
        absl::StrCat(keys.string(), " holds ", nodes.size(), " keys for ", rows,
                     " rows; it must hold one key for each row, one a line"));
  }
  return nodes;
}

// The name, mean and deviation of an attribute, over the nodes that have it.
absl::StatusOr<AttributeColumn> Describe(const NodeAttributes& attributes,
                                         size_t attribute) {
  const size_t dim = attributes.names.size();
  AttributeColumn column{attributes.names[attribute]};
  double sum = 0, squares = 0;
  uint64_t count = 0;
  for (size_t i = attribute; i < attributes.values.size(); i += dim) {
    const float value = attributes.values[i];
    if (std::isnan(value)) continue;
    sum += value;
    ++count;
  }
  if (count == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("no node has a value of the attribute ", column.name,
                     "; leave this attribute out"));
  }
  column.mean = sum / static_cast<double>(count);
  for (size_t i = attribute; i < attributes.values.size(); i += dim) {
    const double difference = attributes.values[i] - column.mean;
    if (!std::isnan(difference)) squares += difference * difference;
  }
  // An attribute with the same value everywhere tells nothing. It keeps the
  // deviation 1 and so becomes all zeros.
  const double deviation = std::sqrt(squares / static_cast<double>(count));
  if (deviation > kLeastDeviation * std::abs(column.mean))
    column.deviation = deviation;
  return column;
}

// The indicators: one column per set of nodes that lack an attribute.
class MissingColumns {
 public:
  void Add(const NodeAttributes& attributes, size_t attribute) {
    const size_t dim = attributes.names.size();
    std::vector<bool> missing(attributes.values.size() / dim);
    bool any = false;
    for (size_t node = 0; node < missing.size(); ++node) {
      missing[node] = std::isnan(attributes.values[node * dim + attribute]);
      any |= missing[node];
    }
    if (!any) return;
    const auto [found, added] =
        places_.try_emplace(std::move(missing), columns_.size());
    const std::string& name = attributes.names[attribute];
    if (added) {
      columns_.push_back({absl::StrCat("missing ", name)});
      nodes_.push_back(&found->first);
    } else if (std::string& shared = columns_[found->second].name;
               !shared.ends_with(" ...")) {
      shared += " ...";
    }
  }

  const std::vector<AttributeColumn>& columns() const { return columns_; }
  float Value(size_t column, size_t node) const {
    return (*nodes_[column])[node] ? 1.0f : 0.0f;
  }

 private:
  std::map<std::vector<bool>, size_t> places_;   // the column of each set
  std::vector<const std::vector<bool>*> nodes_;  // keys of places_
  std::vector<AttributeColumn> columns_;
};

}  // namespace

absl::StatusOr<NodeAttributes> ReadAttributeMatrix(
    const std::filesystem::path& path, const GraphCatalogue& catalogue) {
  SLICE_ASSIGN_OR_RETURN(const NpyMatrix matrix, ReadNpyMatrix(path));
  std::filesystem::path keys = path;
  keys.replace_extension(".keys");
  std::error_code error;
  std::optional<std::vector<NodeId>> row_nodes;
  if (std::filesystem::exists(keys, error)) {
    SLICE_ASSIGN_OR_RETURN(row_nodes,
                           ReadRowNodes(keys, matrix.rows, catalogue));
  } else if (matrix.rows != catalogue.nodes.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        path.string(), " has ", matrix.rows, " rows for ",
        catalogue.nodes.size(), " nodes; write the key of each row to ",
        keys.string(), ", one a line"));
  }
  NodeAttributes attributes;
  for (size_t i = 0; i < matrix.columns; ++i)
    attributes.names.push_back(absl::StrCat(path.stem().string(), ".", i));
  attributes.values.assign(catalogue.nodes.size() * matrix.columns, kMissing);
  for (size_t row = 0; row < matrix.rows; ++row) {
    const auto begin = matrix.values.begin() + row * matrix.columns;
    const auto end = begin + matrix.columns;
    const auto infinite =
        std::find_if(begin, end, [](float v) { return std::isinf(v); });
    if (infinite != end) {
      return absl::InvalidArgumentError(
          absl::StrCat(path.string(), ", row ", row + 1, ": number ",
                       infinite - begin + 1, " is infinite"));
    }
    const NodeId node =
        row_nodes ? (*row_nodes)[row] : static_cast<NodeId>(row);
    if (node == kNoNode) continue;
    std::copy(begin, end, attributes.values.begin() + node * matrix.columns);
  }
  return attributes;
}

absl::Status AppendAttributes(const NodeAttributes& more, size_t nodes,
                              NodeAttributes* attributes) {
  NodeAttributes joined;
  joined.names = attributes->names;
  for (const std::string& name : more.names) {
    if (std::find(joined.names.begin(), joined.names.end(), name) !=
        joined.names.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("two attributes are called ", name, "; rename one"));
    }
    joined.names.push_back(name);
  }
  joined.values.reserve(nodes * joined.names.size());
  for (size_t node = 0; node < nodes; ++node) {
    for (const NodeAttributes* part :
         {static_cast<const NodeAttributes*>(attributes), &more}) {
      const auto begin = part->values.begin() + node * part->names.size();
      joined.values.insert(joined.values.end(), begin,
                           begin + part->names.size());
    }
  }
  *attributes = std::move(joined);
  return absl::OkStatus();
}

absl::StatusOr<AttributeTable> StandardizeAttributes(
    const NodeAttributes& attributes) {
  const size_t dim = attributes.names.size();
  AttributeTable table;
  MissingColumns missing;
  for (size_t i = 0; i < dim; ++i) {
    SLICE_ASSIGN_OR_RETURN(AttributeColumn column, Describe(attributes, i));
    table.columns.push_back(std::move(column));
    missing.Add(attributes, i);
  }
  table.columns.insert(table.columns.end(), missing.columns().begin(),
                       missing.columns().end());
  const size_t nodes = dim == 0 ? 0 : attributes.values.size() / dim;
  table.values.reserve(nodes * table.columns.size());
  for (size_t node = 0; node < nodes; ++node) {
    for (size_t i = 0; i < dim; ++i) {
      const AttributeColumn& column = table.columns[i];
      const auto value = static_cast<float>(
          (attributes.values[node * dim + i] - column.mean) / column.deviation);
      table.values.push_back(
          std::isnan(value)
              ? 0.0f
              : std::clamp(value, -kMostDeviations, kMostDeviations));
    }
    for (size_t i = 0; i < missing.columns().size(); ++i)
      table.values.push_back(missing.Value(i, node));
  }
  return table;
}

}  // namespace slice
