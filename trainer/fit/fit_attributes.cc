// Node attributes on their way into the embeddings: h = W_e f_attr(v), f_attr
// being the structural embedding and the attributes stacked (paper,
// section 3.1).
#include "common/files.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "graphstore/node_attributes.h"
#include "trainer/fit/fit_run.h"

namespace slice {

absl::Status FitRun::ReadAttributes() {
  NodeAttributes& attributes = imported_.attributes;
  if (!options_.attribute_matrix.empty()) {
    SLICE_ASSIGN_OR_RETURN(const NodeAttributes matrix,
                           ReadAttributeMatrix(options_.attribute_matrix,
                                               imported_.data.catalogue));
    SLICE_RETURN_IF_ERROR(AppendAttributes(
        matrix, imported_.data.catalogue.nodes.size(), &attributes));
  }
  if (attributes.empty()) return absl::OkStatus();
  SLICE_ASSIGN_OR_RETURN(attributes_, StandardizeAttributes(attributes));
  LogInfo("%d attributes of nodes, %d columns to tell where they are missing",
          attributes.names.size(),
          attributes_.columns.size() - attributes.names.size());
  if (options_.structural_only()) {
    LogWarning("--preset %s reads no attributes", options_.preset);
  }
  return absl::OkStatus();
}

std::string FitRun::AttributeFingerprint() const {
  if (attributes_.columns.empty()) return "";
  const auto* bytes = reinterpret_cast<const char*>(attributes_.values.data());
  return Sha256Bytes({bytes, attributes_.values.size() * sizeof(float)});
}

std::vector<float> FitRun::StackAttributes(std::vector<float> structural,
                                           int dim) const {
  const size_t columns = attributes_.columns.size();
  if (columns == 0) return structural;
  std::vector<float> stacked;
  stacked.reserve(structural.size() + attributes_.values.size());
  for (size_t node = 0; node < graph().node_count(); ++node) {
    const auto row = structural.begin() + node * dim;
    stacked.insert(stacked.end(), row, row + dim);
    const auto numbers = attributes_.values.begin() + node * columns;
    stacked.insert(stacked.end(), numbers, numbers + columns);
  }
  return stacked;
}

std::vector<float> FitRun::StructuralEmbeddings(int* dim) const {
  const size_t width = embeddings_.size() / graph().node_count();
  *dim = static_cast<int>(width - attributes_.columns.size());
  std::vector<float> structural;
  structural.reserve(graph().node_count() * *dim);
  for (size_t node = 0; node < graph().node_count(); ++node) {
    const auto row = embeddings_.begin() + node * width;
    structural.insert(structural.end(), row, row + *dim);
  }
  return structural;
}

}  // namespace slice
