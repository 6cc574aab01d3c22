// The links of one file as a split reads them.
#ifndef SLICE_GRAPHSTORE_SPLIT_SPLIT_INPUT_H_
#define SLICE_GRAPHSTORE_SPLIT_SPLIT_INPUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/split/split_options.h"
#include "graphstore/types.h"

namespace slice {

// Ids follow the order of the keys, so that they do not depend on the order of
// the rows. Arrays without a number in brackets are parallel to `links`.
struct SplitInput {
  std::vector<std::string> keys;       // [nodes], ascending
  std::vector<std::string> relations;  // [relations], ascending
  std::vector<Link> links;             // ascending, distinct
  std::vector<float> weights;          // the largest; empty without weights
  // When a link was first seen: its earliest time with SplitRule::kTime, the
  // number of its first row with kNewest. Otherwise empty.
  std::vector<double> first_seen;
  uint64_t repeated_rows = 0;
  std::vector<std::string> recognised;  // how each file is written
};

// INVALID_ARGUMENT and "file:line:column: reason" for a malformed row, a row
// labelled 0, a relation above kMostRelations (graphstore/graph_limits.h), a
// time that is no number and no date, or times of both kinds; the errors of
// RecogniseLinks.
absl::StatusOr<SplitInput> ReadSplitInput(const SplitOptions& options);

enum class LinkTimeKind : uint8_t { kNumber, kDate };

// A number, or a date such as 2026-11-25 or 2026-11-25T10:30:00Z in seconds
// since 1970; nullopt for any other text. Sets `kind`, unless it is null.
std::optional<double> ParseLinkTime(std::string_view text,
                                    LinkTimeKind* kind = nullptr);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_SPLIT_SPLIT_INPUT_H_
