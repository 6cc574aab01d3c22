// The parts of a report that say how far its answers can be trusted
// (docs/evaluation.md).
#ifndef SLICE_TRAINER_REPORT_CALIBRATION_PARTS_H_
#define SLICE_TRAINER_REPORT_CALIBRATION_PARTS_H_

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "trainer/metrics.h"

namespace slice {

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

// How well some probabilities are calibrated.
struct CalibrationFigures {
  double temperature = 1, offset = 0, threshold = 0.5, base_rate = 0.5;
  uint64_t fitted_rows = 0;  // of valid; 0: not known
  uint64_t rows = 0;         // of test
  double log_loss = kNotMeasured, brier = kNotMeasured;
  double expected_error = kNotMeasured;
  // The expected error that perfect probabilities would show on as many rows,
  // by chance alone.
  double chance_error = kNotMeasured;
  std::vector<CalibrationBin> bins;
};
struct RelationCalibration {
  std::string relation;
  CalibrationFigures figures;
};
// A relation with fewer test rows has no calibration error worth a name.
inline constexpr uint64_t kMeasurableRows = 100;
// Of one output, of all relations and of each.
struct QuestionCalibration {
  std::string key;    // "plausible", "among_kind"
  std::string title;  // "Plausible among all pairs"
  CalibrationFigures figures;
  std::vector<RelationCalibration> relations;  // with the most rows first
  // The medians over the relations with kMeasurableRows.
  double median_relation_error = kNotMeasured;
  double median_relation_chance = kNotMeasured;
};

// Pairs that cannot be links, and how many of them the model calls links.
struct ImpossibleLinks {
  std::string key;    // "self", "off_schema"
  std::string title;  // "Self pairs"
  std::string note;
  uint64_t pairs = 0, called = 0;

  double CalledShare() const {
    return pairs == 0
               ? kNotMeasured
               : static_cast<double>(called) / static_cast<double>(pairs);
  }
};

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_CALIBRATION_PARTS_H_
