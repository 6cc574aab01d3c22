// A report as a page.
#ifndef SLICE_TRAINER_REPORT_REPORT_PAGE_H_
#define SLICE_TRAINER_REPORT_REPORT_PAGE_H_

#include <string>

#include "trainer/report/report.h"

namespace slice {

// One HTML page without any external resource. It follows the reader's light or
// dark setting and fits a phone.
std::string RenderReportHtml(const TrainingReport& report);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_REPORT_PAGE_H_
