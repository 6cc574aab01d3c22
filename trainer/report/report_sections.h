// The sections of a report page. Internal to the report writer: each returns
// HTML, and nothing when its part of the report is empty.
#ifndef SLICE_TRAINER_REPORT_REPORT_SECTIONS_H_
#define SLICE_TRAINER_REPORT_REPORT_SECTIONS_H_

#include <span>
#include <string>

#include "trainer/report/report.h"

namespace slice {

// Building blocks.
std::string Percent(double value);   // "98.07", a dash when undefined
std::string Fraction(double value);  // "0.355"
std::string Card(const std::string& content);
// A table cell with a bar that is full at 1 and empty at `zero`.
std::string BarCell(double value, double zero);
// A heading over a grid of cards.
std::string ChartSection(const std::string& heading, const std::string& note,
                         std::span<const std::string> charts);

// Tables.
std::string HeaderSection(const TrainingReport& report);
std::string ResultsSection(const TrainingReport& report);
std::string RankingSection(const TrainingReport& report);
std::string RelationSection(const TrainingReport& report);
std::string SplitSection(const TrainingReport& report);
std::string MetapathSection(const TrainingReport& report);
std::string FidelitySection(const TrainingReport& report);
std::string PretrainingSection(const TrainingReport& report);
std::string StepSection(const TrainingReport& report);

// Charts.
std::string CurveSection(const TrainingReport& report);
std::string LossSection(const TrainingReport& report);
std::string DistributionSection(const TrainingReport& report);
std::string ErrorSection(const TrainingReport& report);
std::string ContextSection(const TrainingReport& report);
std::string AttentionSection(const TrainingReport& report);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_REPORT_SECTIONS_H_
