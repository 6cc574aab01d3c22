// The kinds of paths (context/path_sums.h) that a type of path belongs to.
// Internal to PathLedger.
#ifndef SLICE_CONTEXT_PATH_KINDS_H_
#define SLICE_CONTEXT_PATH_KINDS_H_

#include <cstdint>

#include "context/path_filter.h"
#include "context/path_rules.h"

namespace slice {

// Bits. The letters are those of context/path_sums.h.
enum PathKind : uint8_t {
  kFirst = 1,        // the first link travels r
  kLast = 2,         // the last link travels r
  kBoth = 4,         // first and last link travel r
  kReturns = 8,      // r, back by r, r
  kFirstAlike = 16,  // r, then to and fro; of two links: to and fro
  kLastAlike = 32,   // to and fro, then r
};
inline constexpr int kPathKinds = 6;

// The bits of a type, for a link whose signed relation is `r`.
inline uint8_t KindsOf(const PathType& type, int32_t r) {
  const auto& [first, second, third] = type;
  uint8_t kinds = 0;
  if (LengthOf(type) == 1) return kinds;
  const bool two = LengthOf(type) == 2;
  const bool ends = two ? second == r : third == r;
  if (first == r) kinds |= kFirst;
  if (ends) kinds |= kLast;
  if (two) return kinds | (second == -first ? kFirstAlike : 0);
  if (first == r && ends) kinds |= kBoth;
  if (first == r && second == -r && ends) kinds |= kReturns;
  if (first == r && third == -second) kinds |= kFirstAlike;
  if (ends && second == -first) kinds |= kLastAlike;
  return kinds;
}

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_KINDS_H_
