#include "context/evidence.h"

#include <algorithm>

namespace slice {
namespace {

bool IsOfPaths(EvidenceKind kind) {
  return kind == EvidenceKind::kPaths || kind == EvidenceKind::kAllPaths;
}

}  // namespace

bool Evidence::Overlaps(const Evidence& other) const {
  if (!IsOfPaths(kind) || !IsOfPaths(other.kind)) return *this == other;
  if (kind == other.kind) return type == other.type && length == other.length;
  return length == other.length;
}

bool HoldsPaths(std::span<const Evidence> items,
                std::span<const size_t> positions, int length) {
  return std::any_of(positions.begin(), positions.end(), [&](size_t item) {
    return IsOfPaths(items[item].kind) &&
           (length == 0 || items[item].length == length);
  });
}

bool Holds(std::span<const Evidence> items, std::span<const size_t> positions,
           EvidenceKind kind, FeatureGroup group) {
  return std::any_of(positions.begin(), positions.end(), [&](size_t item) {
    return items[item].kind == kind &&
           (group == FeatureGroup::kOther || items[item].group == group);
  });
}

PathFilter FilterOf(std::span<const Evidence> items,
                    std::span<const size_t> positions, bool keep_named) {
  PathFilter filter;
  filter.keep_named = keep_named;
  for (const size_t position : positions) {
    const Evidence& item = items[position];
    if (item.kind == EvidenceKind::kPaths) filter.types.push_back(item.type);
    if (item.kind == EvidenceKind::kAllPaths) {
      filter.lengths[static_cast<size_t>(item.length)] = true;
    }
  }
  return filter;
}

}  // namespace slice
