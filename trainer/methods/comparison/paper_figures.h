// The figures of the paper's table (Wang et al., WWW 2021, table 3), which
// reports show beside the measured ones. They are a record and not a fair
// comparison: its program lets test links into training (docs/leakage.md).
#ifndef SLICE_TRAINER_METHODS_COMPARISON_PAPER_FIGURES_H_
#define SLICE_TRAINER_METHODS_COMPARISON_PAPER_FIGURES_H_

#include <optional>
#include <string_view>

namespace slice {

struct PaperFigures {
  double f1 = 0, auroc = 0;  // percent
};

// Nothing when the paper has no such row or column, or says that the method ran
// out of memory.
std::optional<PaperFigures> FindPaperFigures(std::string_view method,
                                             std::string_view set);

// Whether the paper prints "OOM" there.
bool RanOutOfMemoryInPaper(std::string_view method, std::string_view set);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_COMPARISON_PAPER_FIGURES_H_
