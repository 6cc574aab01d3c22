// The sections of a report page that are charts, as HTML. A section is empty
// when its part of the report is.
#ifndef SLICE_TRAINER_REPORT_REPORT_CHARTS_H_
#define SLICE_TRAINER_REPORT_REPORT_CHARTS_H_

#include <string>

#include "trainer/report/report.h"

namespace slice {

std::string CurveSection(const TrainingReport& report);
std::string ReliabilitySection(const TrainingReport& report);
std::string LossSection(const TrainingReport& report);
std::string DistributionSection(const TrainingReport& report);
std::string ErrorSection(const TrainingReport& report);
std::string ContextSection(const TrainingReport& report);
std::string ExampleSection(const TrainingReport& report);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_REPORT_CHARTS_H_
