// Calibrates the answers of a model, relation by relation (docs/model.md,
// "Calibration").
//
// First one Platt scaling is fitted on the rows of all relations. Then each
// relation gets a scaling of its own, which a prior pulls towards the common
// one: the fewer rows a relation has, the less its scaling differs. How strong
// the pull is, cross-validation within the rows decides. Thresholds are shrunk
// in the same way.
#ifndef SLICE_TRAINER_EVALUATION_RELATION_CALIBRATION_H_
#define SLICE_TRAINER_EVALUATION_RELATION_CALIBRATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "graphstore/types.h"
#include "model/calibration.h"

namespace slice {

// Labelled logits of one question; the vectors are parallel. `shifts` are the
// log-odds that the schema prior adds.
struct CalibrationRows {
  std::vector<double> logits;
  std::vector<double> shifts;
  std::vector<uint8_t> labels;
  std::vector<RelationId> relations;

  size_t size() const { return logits.size(); }
  void Add(double logit, double shift, bool positive, RelationId relation);
};

// How far the calibration of a relation may go from the common one.
struct Shrinkage {
  // The deviations of the prior of a relation's scaling, whose scores are the
  // log-odds by the common scaling: its scale is near 1, its offset near 0.
  double scale_deviation = 0;
  double offset_deviation = 0;
  // Where the threshold of a relation lies without rows of its own: at the
  // logit of the common threshold, or at a common probability.
  bool threshold_by_probability = false;
  // The threshold of a relation with n rows is n / (n + threshold_rows) of its
  // own and the rest the one without rows. 0: that one alone.
  double threshold_rows = 0;

  bool operator==(const Shrinkage&) const = default;
};

struct QuestionCalibrations {
  Calibration all;                     // of all relations together
  std::vector<Calibration> relations;  // by relation id
  Shrinkage shrinkage;                 // as cross-validation chose it
};

// Fits the common calibration: the scaling, and the threshold with the best F1
// of the positives. Rows of one label say nothing: the logits are then taken as
// log-odds, with a threshold of 0.5 and 0 rows.
Calibration CalibrateTogether(const CalibrationRows& rows);

// Fits the calibration of each of `relation_count` relations around `common`.
// A relation without rows gets `common`.
std::vector<Calibration> CalibrateRelations(const CalibrationRows& rows,
                                            const Calibration& common,
                                            size_t relation_count,
                                            const Shrinkage& shrinkage);

// The shrinkage with the least log loss, and then the best mean of F1 and
// accuracy, on rows that it was not fitted on. Thresholds move away from the
// logit of the common one only if the gain is larger than its standard error.
Shrinkage ChooseShrinkage(const CalibrationRows& rows, size_t relation_count);

// All of the above.
QuestionCalibrations CalibrateByRelation(const CalibrationRows& rows,
                                         size_t relation_count);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_RELATION_CALIBRATION_H_
