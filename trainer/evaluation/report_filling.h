// Turns scored links into the parts of a report.
#ifndef SLICE_TRAINER_EVALUATION_REPORT_FILLING_H_
#define SLICE_TRAINER_EVALUATION_REPORT_FILLING_H_

#include <array>
#include <span>
#include <string>

#include "graphstore/graph_snapshot.h"
#include "trainer/evaluation/evaluation.h"
#include "trainer/report/report.h"

namespace slice {

// Fills the tables of figures, one per set of negatives, and nothing else.
void FillResultTables(const ScoredSplit& test,
                      std::span<const MethodThresholds> thresholds,
                      TrainingReport& report);

// Fills all parts of `report` that follow from scored test links: the tables of
// figures, curves, calibration, distributions, groups and metapaths.
// `thresholds` are the result of FitThresholds.
void FillTestReport(const ScoredSplit& test,
                    std::span<const MethodThresholds> thresholds,
                    const std::array<Calibration, kQuestions>& calibrations,
                    const GraphSnapshot& snapshot, TrainingReport& report);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_REPORT_FILLING_H_
