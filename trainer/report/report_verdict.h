// What a report comes to, in plain words.
#ifndef SLICE_TRAINER_REPORT_REPORT_VERDICT_H_
#define SLICE_TRAINER_REPORT_REPORT_VERDICT_H_

#include <string>

#include "trainer/report/report.h"

namespace slice {

// Two sentences for a reader who knows no measures: how often the model tells a
// link from a non-link beside the best other method, and how far that falls, or
// where the right answer stands, when the question is hard. Empty when the
// report has no results of the model on the published negatives.
std::string Verdict(const TrainingReport& report);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_REPORT_VERDICT_H_
