// The rows of files with answers. `slice-client predict` writes rows of the
// same columns, so that a file does not show who made it.
#ifndef SLICE_TRAINER_ANSWER_ROWS_H_
#define SLICE_TRAINER_ANSWER_ROWS_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "model/prediction.h"

namespace slice {

// A link as a row shows it.
struct RowLink {
  std::string_view relation, source, target;
  std::string_view label = {};  // "0" or "1"; empty when there is none
};

// The answer to one link.
struct RowAnswer {
  const Prediction* prediction = nullptr;  // null when the link has none
  bool with_flags = false;  // ends the row with the flags of the link, or "-"
};

// A row of `score`: relation, source, target, the label if there is one, and
// the probability, "nan" without a prediction; then the flags if asked for.
std::string ScoreRow(const RowLink& link, const RowAnswer& answer);

// A row of `recommend`: the columns of ScoreRow, then the rank from 1 and the
// score by which nodes are ranked. Without a prediction they are 0 and "nan".
std::string RecommendRow(const RowLink& link, const RowAnswer& answer,
                         size_t rank, float score);

}  // namespace slice

#endif  // SLICE_TRAINER_ANSWER_ROWS_H_
