// Turns scored links into the parts of a report.
#ifndef SLICE_TRAINER_EVALUATION_REPORT_FILLING_H_
#define SLICE_TRAINER_EVALUATION_REPORT_FILLING_H_

#include "graphstore/graph_snapshot.h"
#include "trainer/evaluation/evaluation.h"
#include "trainer/report/report.h"

namespace slice {

// Fills the tables of figures, one per set of negatives, and nothing else.
// `test` has thresholds.
void FillResultTables(const ScoredSplit& test, TrainingReport& report);

// Adds the table of groups "relation", the relation with the most positives
// first. `test` has thresholds.
void FillRelationTable(const ScoredSplit& test, const GraphSnapshot& snapshot,
                       TrainingReport& report);

// Fills all parts of `report` that follow from scored test links: the tables of
// figures, curves, calibration, distributions, groups and metapaths. The
// answers of `test` were read by ReadAnswers with `reading`.
void FillTestReport(const ScoredSplit& test, const OutputReading& reading,
                    const GraphSnapshot& snapshot, TrainingReport& report);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_REPORT_FILLING_H_
