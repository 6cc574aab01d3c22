// Rows of the spectral factors for a node that came after training.
//
// The factors U diag(s) V^T of the normalised adjacency matrix A have the rows
// U = A V / s. So the row of a new node follows from its row of A, that is from
// the rows of its neighbours; the same holds for V and E. This is "folding in"
// (Deerwester et al., JASIS 1990).
#ifndef SLICE_CONTEXT_SPECTRAL_FOLD_IN_H_
#define SLICE_CONTEXT_SPECTRAL_FOLD_IN_H_

#include <span>
#include <vector>

#include "context/spectral_vectors.h"
#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

// The rows of one node.
class FoldedRows {
 public:
  // Reads the links that `view` shows. Neighbours without rows of their own
  // count as absent. Of more than kMostArcs links in one direction, a strided
  // sample stands for all. Zeros where the rank is more than half of the number
  // of nodes with rows: folded rows mislead there (docs/model.md, New nodes).
  static constexpr size_t kMostArcs = 512;
  FoldedRows(const SpectralVectors& vectors, const GraphView& view,
             NodeId node);

  // Valid as long as this object.
  SpectralVectors::Rows rows() const;

 private:
  std::vector<float> values_;  // [3, rank]: out, in, symmetric
  float symmetric_square_ = 0;
};

// The spectral features of a link, whose ends are folded in where the factors
// have no rows of them.
void ComputeSpectralFeatures(
    const SpectralVectors& vectors, const GraphView& view, const Link& link,
    std::span<float, SpectralVectors::kFeatures> values);

}  // namespace slice

#endif  // SLICE_CONTEXT_SPECTRAL_FOLD_IN_H_
