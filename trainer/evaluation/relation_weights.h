// Chooses one weight per relation from a grid, by how well each weight of the
// grid does on rows of valid.
#ifndef SLICE_TRAINER_EVALUATION_RELATION_WEIGHTS_H_
#define SLICE_TRAINER_EVALUATION_RELATION_WEIGHTS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graphstore/types.h"
#include "trainer/evaluation/grouped_mean.h"

namespace slice {

// What each weight of the grid would give on some rows. Larger is better.
struct WeightTrials {
  size_t weights = 0;                      // of the grid
  std::vector<float> gains = {};           // [rows, weights]
  std::vector<RelationId> relations = {};  // [rows]
  // Rows of one group are never split between choosing and judging: [rows].
  std::vector<uint64_t> groups = {};

  size_t rows() const { return relations.size(); }
};

struct RelationWeightChoice {
  size_t common = 0;                // the position in the grid, of all rows
  std::vector<size_t> by_relation;  // the same of each relation
  // By how much the choice is better than weight 0 of the grid, per row that
  // it was not chosen by.
  GroupedMean gain;
  // How many rows of all relations count as rows of each relation; infinity:
  // all relations have the common weight.
  double shrinkage = 0;

  // Whether any weight but the first of the grid is to be used.
  bool IsUsed() const;
};

// The weight of a relation is the best for its own rows and for `shrinkage`
// rows of the average row of all relations together. The shrinkage is chosen by
// cross-validation in five folds.
RelationWeightChoice ChooseRelationWeights(const WeightTrials& trials,
                                           size_t relation_count);

// Says whether the weights are used, and what they gain in `measure`. An
// example: "used with weight 0.3 for all relations, as it gains +0.0100 ±
// 0.0020 in rank score". `choice` holds places in `grid`.
std::string DescribeRelationWeights(const RelationWeightChoice& choice,
                                    std::span<const float> grid,
                                    std::string_view measure);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_RELATION_WEIGHTS_H_
