#include "trainer/answer_rows.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace slice {
namespace {

absl::string_view AsAbsl(std::string_view text) {
  return {text.data(), text.size()};
}

// The columns that both kinds of rows have. Further columns about the answer
// belong at the end of them.
std::string SharedColumns(const RowLink& link, const RowAnswer& answer) {
  std::string row =
      absl::StrCat(AsAbsl(link.relation), "\t", AsAbsl(link.source), "\t",
                   AsAbsl(link.target), "\t");
  if (!link.label.empty()) absl::StrAppend(&row, AsAbsl(link.label), "\t");
  if (answer.prediction == nullptr) return row + "nan";
  absl::StrAppendFormat(&row, "%.9g", answer.prediction->probability);
  return row;
}

}  // namespace

std::string ScoreRow(const RowLink& link, const RowAnswer& answer) {
  const std::string columns = SharedColumns(link, answer);
  if (!answer.with_flags) return columns + "\n";
  const std::string flags = answer.prediction == nullptr
                                ? std::string()
                                : FlagNames(answer.prediction->flags);
  return absl::StrCat(columns, "\t", flags.empty() ? "-" : flags, "\n");
}

std::string RecommendRow(const RowLink& link, const RowAnswer& answer,
                         size_t rank, float score) {
  const std::string columns = SharedColumns(link, answer);
  return answer.prediction == nullptr
             ? columns + "\t0\tnan\n"
             : absl::StrFormat("%s\t%d\t%.9g\n", columns, rank, score);
}

}  // namespace slice
