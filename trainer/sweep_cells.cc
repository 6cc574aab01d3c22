#include "trainer/sweep_cells.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace slice {

absl::StatusOr<SweepAxis> ParseSweepAxis(const std::string& text) {
  const std::vector<std::string> parts =
      absl::StrSplit(text, absl::MaxSplits('=', 1));
  SweepAxis axis;
  axis.flag = parts[0];
  if (parts.size() == 2) {
    axis.values = absl::StrSplit(parts[1], ',', absl::SkipEmpty());
  }
  if (axis.flag.empty() || axis.values.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--vary is '", text,
                     "'; it must be FLAG=VALUE,VALUE, such as layers=1,2"));
  }
  return axis;
}

std::vector<SweepCell> MakeSweepCells(const std::vector<SweepAxis>& axes,
                                      bool one_at_a_time) {
  std::vector<SweepCell> cells = {{}};
  for (const SweepAxis& axis : axes) {
    std::vector<SweepCell> longer;
    for (const SweepCell& cell : cells) {
      for (size_t i = 0; i < axis.values.size(); ++i) {
        // With one_at_a_time, an axis takes a value other than its first only
        // where all axes before it have their first value.
        const bool base =
            cell.size() ==
            static_cast<size_t>(
                std::count_if(cell.begin(), cell.end(), [&](const auto& part) {
                  return part.second == axes[&part - cell.data()].values[0];
                }));
        if (one_at_a_time && i > 0 && !base) continue;
        longer.push_back(cell);
        longer.back().emplace_back(axis.flag, axis.values[i]);
      }
    }
    cells = std::move(longer);
  }
  std::set<SweepCell> seen;
  std::erase_if(
      cells, [&](const SweepCell& cell) { return !seen.insert(cell).second; });
  return cells;
}

std::string SweepCellName(const SweepCell& cell) {
  std::string name = absl::StrJoin(cell, ",", absl::PairFormatter("="));
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

std::vector<SweepAxis> DefaultSweepAxes() {
  return {{"learning_rate", {"1e-3", "5e-4", "2e-3"}},
          {"max_context_nodes", {"12", "6"}}};
}

}  // namespace slice
