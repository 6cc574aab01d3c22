// A report as text.
#ifndef SLICE_TRAINER_REPORT_REPORT_TEXT_H_
#define SLICE_TRAINER_REPORT_REPORT_TEXT_H_

#include <string>

#include "trainer/report/report.h"

namespace slice {

// The figures that a person wants on the terminal.
std::string ReportText(const TrainingReport& report);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_REPORT_TEXT_H_
