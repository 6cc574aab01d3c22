// Puts the attributes of nodes into the embeddings: h = W_e f_attr(v), where
// f_attr(v) is the structural embedding of the node v, such as that of
// node2vec, followed by its attributes (paper, section 3.1).
#ifndef SLICE_TRAINER_FIT_EMBEDDING_ATTRIBUTES_H_
#define SLICE_TRAINER_FIT_EMBEDDING_ATTRIBUTES_H_

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/edge_list_importer.h"
#include "graphstore/node_attributes.h"
#include "trainer/fit/fit_options.h"

namespace slice {

// The standardized attributes of all nodes: those of the node file, then those
// of options.attribute_matrix. The table is empty when there are neither.
// Returns the errors of ReadAttributeMatrix and StandardizeAttributes.
absl::StatusOr<AttributeTable> ReadAttributes(const FitOptions& options,
                                              ImportedGraph& imported);

// A digest of the attribute values; empty without attributes.
std::string AttributeDigest(const AttributeTable& attributes);

// [nodes, dim + attributes]: each row of `structural` [nodes, dim] followed by
// the attributes of its node.
std::vector<float> StackAttributes(std::vector<float> structural, int dim,
                                   const AttributeTable& attributes);

// [nodes, dim - attribute_count]: the rows of `embeddings` [nodes, dim] without
// the attributes at their ends.
std::vector<float> WithoutAttributes(std::span<const float> embeddings, int dim,
                                     int attribute_count);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_EMBEDDING_ATTRIBUTES_H_
