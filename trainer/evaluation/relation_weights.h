// Chooses one weight per relation from a grid, by how well each weight of the
// grid does on rows of valid.
#ifndef SLICE_TRAINER_EVALUATION_RELATION_WEIGHTS_H_
#define SLICE_TRAINER_EVALUATION_RELATION_WEIGHTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graphstore/types.h"

namespace slice {

// What each weight of the grid would give on some rows. Larger is better.
struct WeightTrials {
  size_t weights = 0;                 // of the grid
  std::vector<float> gains;           // [rows, weights]
  std::vector<RelationId> relations;  // [rows]
  // Rows of one group are never split between choosing and judging: [rows].
  std::vector<uint64_t> groups;

  size_t rows() const { return relations.size(); }
};

struct RelationWeightChoice {
  size_t common = 0;                // the position in the grid, of all rows
  std::vector<size_t> by_relation;  // the same of each relation
  // By how much the choice is better than weight 0 of the grid, per row that
  // it was not chosen by, and the standard error of that mean.
  double gain = 0, error = 0;
  // How many rows of all relations count as rows of each relation; infinity:
  // all relations have the common weight.
  double shrinkage = 0;
};

// The weight of a relation is the best for its own rows and for `shrinkage`
// rows of the average row of all relations together. The shrinkage is chosen by
// cross-validation in five folds.
RelationWeightChoice ChooseRelationWeights(const WeightTrials& trials,
                                           size_t relation_count);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_RELATION_WEIGHTS_H_
