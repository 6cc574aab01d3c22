// Shows the results of a sweep to a reader, best cell first.
#ifndef SLICE_TRAINER_SWEEP_REPORT_H_
#define SLICE_TRAINER_SWEEP_REPORT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "trainer/sweep_cells.h"

namespace slice {

// In all functions, `results` are sorted, best first.

// A cell as cell.json and sweep.json hold it: flags, and figures on valid.
nlohmann::json SweepResultToJson(const SweepResult& result);

// All cells and the flags of the best one, as sweep.json holds them.
nlohmann::json SweepToJson(const std::vector<SweepResult>& results);

// The table on the terminal, and the best flags.
std::string SweepText(const std::vector<SweepResult>& results);

// The page, sweep.html.
std::string RenderSweepHtml(const std::vector<SweepResult>& results);

}  // namespace slice

#endif  // SLICE_TRAINER_SWEEP_REPORT_H_
