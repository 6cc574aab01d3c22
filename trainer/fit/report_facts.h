// What a report says about a run besides its figures.
#ifndef SLICE_TRAINER_FIT_REPORT_FACTS_H_
#define SLICE_TRAINER_FIT_REPORT_FACTS_H_

#include <string>
#include <vector>

#include "trainer/fit/fit_options.h"
#include "trainer/fit/import_step.h"
#include "trainer/report/report_parts.h"

namespace slice {

// The sizes of the graph and of the held-out files, and the options that a
// reader must know.
std::vector<NamedValue> ReportFacts(const FitOptions& options,
                                    const ImportedTraining& training);

// What training saw of the held-out links, and what was hidden.
std::vector<std::string> ReportNotes(const FitOptions& options,
                                     const ImportedTraining& training);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_REPORT_FACTS_H_
