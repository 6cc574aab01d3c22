// From scored links to the parts of a report.
#ifndef SLICE_TRAINER_EVALUATION_REPORT_FILLING_H_
#define SLICE_TRAINER_EVALUATION_REPORT_FILLING_H_

#include <array>
#include <span>
#include <string>

#include "graphstore/graph_snapshot.h"
#include "trainer/evaluation/evaluation.h"
#include "trainer/report/report.h"

namespace slice {

// The tables per set of negatives alone.
void FillResultTables(const ScoredSplit& test,
                      std::span<const MethodThresholds> thresholds,
                      TrainingReport& report);

// Fills everything of `report` that follows from scored test links: tables per
// set of negatives, curves, calibration, distributions, groups, metapaths.
// `thresholds` are those of FitThresholds.
void FillTestReport(const ScoredSplit& test,
                    std::span<const MethodThresholds> thresholds,
                    const std::array<Calibration, kQuestions>& calibrations,
                    const GraphSnapshot& snapshot, TrainingReport& report);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_REPORT_FILLING_H_
