// The sections of a report page that are tables, as HTML. A section is empty
// when its part of the report is.
#ifndef SLICE_TRAINER_REPORT_REPORT_TABLES_H_
#define SLICE_TRAINER_REPORT_REPORT_TABLES_H_

#include <string>

#include "trainer/report/report.h"

namespace slice {

std::string HeaderSection(const TrainingReport& report);
std::string ResultsSection(const TrainingReport& report);
std::string RankingSection(const TrainingReport& report);
std::string RelationSection(const TrainingReport& report);
std::string SplitSection(const TrainingReport& report);
std::string ImpossibleSection(const TrainingReport& report);
std::string MetapathSection(const TrainingReport& report);
std::string FidelitySection(const TrainingReport& report);
std::string PretrainingSection(const TrainingReport& report);
std::string StepSection(const TrainingReport& report);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_REPORT_TABLES_H_
