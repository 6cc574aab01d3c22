// How much one identity may ask of the server.
#ifndef SLICE_SERVER_ACCESS_QUOTA_LIMITS_H_
#define SLICE_SERVER_ACCESS_QUOTA_LIMITS_H_

#include <array>
#include <cstddef>
#include <optional>

namespace slice {

// What is counted per second.
enum class QuotaKind {
  // Runs of the network: one for each link, and for a link with
  // EXPLANATION_LEVEL_FULL one more for each token that its context may have.
  kLinks,
  // A recommendation that costs more than one among all nodes counts more.
  kRecommendations,
  // Look-ups: FindNodes, GetNeighbors, GetModelInfo, ListRelations, and the
  // search for names that are similar to an unknown one.
  kSearches,
};
inline constexpr int kQuotaKinds = 3;

struct QuotaLimits {
  bool operator==(const QuotaLimits&) const = default;

  double& of(QuotaKind kind) { return per_second[static_cast<int>(kind)]; }
  double of(QuotaKind kind) const { return per_second[static_cast<int>(kind)]; }

  std::array<double, kQuotaKinds> per_second = {};  // by QuotaKind; 0: no limit
  size_t links_under_way = 0;  // inside the server at once; 0: no limit
};

// The limits that an identity has instead of those of everybody.
struct QuotaExceptions {
  bool operator==(const QuotaExceptions&) const = default;

  // `limits` with these instead.
  QuotaLimits In(QuotaLimits limits) const {
    for (int kind = 0; kind < kQuotaKinds; ++kind) {
      double& limit = limits.per_second[kind];
      limit = per_second[kind].value_or(limit);
    }
    limits.links_under_way = links_under_way.value_or(limits.links_under_way);
    return limits;
  }

  std::array<std::optional<double>, kQuotaKinds> per_second = {};
  std::optional<size_t> links_under_way = std::nullopt;
};

}  // namespace slice

#endif  // SLICE_SERVER_ACCESS_QUOTA_LIMITS_H_
