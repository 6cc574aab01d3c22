#include "trainer/fit/embedding_attributes.h"

#include "common/logging.h"
#include "common/sha256.h"
#include "common/status_macros.h"

namespace slice {

absl::StatusOr<AttributeTable> ReadAttributes(const FitOptions& options,
                                              ImportedGraph& imported) {
  NodeAttributes& attributes = imported.attributes;
  if (!options.attribute_matrix.empty()) {
    SLICE_ASSIGN_OR_RETURN(
        const NodeAttributes matrix,
        ReadAttributeMatrix(options.attribute_matrix, imported.data.catalogue));
    SLICE_RETURN_IF_ERROR(AppendAttributes(
        matrix, imported.data.catalogue.nodes.size(), &attributes));
  }
  if (attributes.empty()) return AttributeTable();
  SLICE_ASSIGN_OR_RETURN(AttributeTable table,
                         StandardizeAttributes(attributes));
  LogInfo("%d attributes per node, %d columns that say where one is missing",
          attributes.names.size(),
          table.columns.size() - attributes.names.size());
  if (options.structural_only()) {
    LogWarning("--preset %s reads no attributes", options.preset);
  }
  return table;
}

std::string AttributeDigest(const AttributeTable& attributes) {
  if (attributes.columns.empty()) return "";
  const auto* bytes = reinterpret_cast<const char*>(attributes.values.data());
  return Sha256Bytes({bytes, attributes.values.size() * sizeof(float)});
}

std::vector<float> StackAttributes(std::vector<float> structural, int dim,
                                   const AttributeTable& attributes) {
  const size_t columns = attributes.columns.size();
  if (columns == 0) return structural;
  std::vector<float> stacked;
  stacked.reserve(structural.size() + attributes.values.size());
  const size_t nodes = structural.size() / dim;
  for (size_t node = 0; node < nodes; ++node) {
    const auto row = structural.begin() + node * dim;
    stacked.insert(stacked.end(), row, row + dim);
    const auto numbers = attributes.values.begin() + node * columns;
    stacked.insert(stacked.end(), numbers, numbers + columns);
  }
  return stacked;
}

std::vector<float> WithoutAttributes(std::span<const float> embeddings, int dim,
                                     int attribute_count) {
  std::vector<float> structural;
  const size_t nodes = embeddings.size() / dim;
  const int width = dim - attribute_count;
  structural.reserve(nodes * width);
  for (size_t node = 0; node < nodes; ++node) {
    const auto row = embeddings.begin() + node * dim;
    structural.insert(structural.end(), row, row + width);
  }
  return structural;
}

}  // namespace slice
