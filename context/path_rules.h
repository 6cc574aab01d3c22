// Path rules: a path of some type between two nodes speaks for a link of some
// relation between them.
//
// The rule r(u, v) <= p1(u, x), p2(x, v) says: where relations p1 and p2 lead
// from u to v, r links them, with a measured confidence. Rules and confidences:
// AMIE (Galarraga et al., WWW 2013). Rules along paths, and how several rules
// add up: AnyBURL (Meilicke et al., IJCAI 2019), SAFRAN (Ott et al., AKBC
// 2021).
#ifndef SLICE_CONTEXT_PATH_RULES_H_
#define SLICE_CONTEXT_PATH_RULES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "graphstore/graph_statistics.h"
#include "graphstore/types.h"

namespace slice {

// The signed relations of a path, from the source to the target; 0 beyond its
// length.
using PathType = std::array<int32_t, 3>;

// The type of the same path read from its other end.
PathType Reversed(const PathType& path);

// Whether `relation` may have a rule of this type. It may for every path of one
// or two links. Of the paths of three links it may for those that travel the
// relation once and go to and fro in the other two steps: (r, s, -s) and
// (s, -s, r), and so (r, -r, r).
bool IsRulePath(RelationId relation, const PathType& path);

struct PathRule {
  RelationId relation = 0;
  PathType path = {0, 0, 0};

  auto operator<=>(const PathRule&) const = default;
};

// The summand of a rule in a noisy-or that is kept as a logarithm:
// -log(1 - confidence), for a confidence of at most 0.999.
float NoisyOrTerm(float confidence);

// Immutable; thread-safe.
class PathRules {
 public:
  // The confidence of a rule depends on how many paths of its type join the
  // ends: 1, 2-3, 4-7, 8-15, or more.
  static constexpr size_t kBuckets = 5;
  static size_t BucketOf(double count);

  // By known end, then by bucket. Index 0 (Direction::kOut): the source is
  // known, and the confidence is that the path leads to the right target. Index
  // 1: the other way round.
  using Confidences = std::array<std::array<float, kBuckets>, 2>;

  PathRules() = default;
  // The two vectors are parallel; rules ascend and are distinct.
  PathRules(std::vector<PathRule> rules, std::vector<Confidences> confidences);

  // Reads what a bundle stores under "path_rules.paths" [rules, 4] and
  // "path_rules.confidences" [rules, 2 * kBuckets]; nothing when absent.
  // DATA_LOSS when the arrays do not agree or do not suit the relation count.
  static absl::StatusOr<std::optional<PathRules>> FromStatistics(
      const GraphStatistics& statistics, size_t relation_count);
  void AddTo(GraphStatistics& statistics) const;

  std::span<const PathRule> rules() const { return rules_; }
  // The positions [begin, end) of the rules for `relation`.
  std::array<size_t, 2> RangeOf(RelationId relation) const;
  // The position of a rule, or nothing.
  std::optional<uint32_t> Find(const PathRule& rule) const;
  float confidence(size_t rule, Direction known, size_t bucket) const {
    return confidences_[rule][static_cast<size_t>(known)][bucket];
  }
  // NoisyOrTerm() of the same confidence.
  float log_term(size_t rule, Direction known, size_t bucket) const {
    return log_terms_[rule][static_cast<size_t>(known)][bucket];
  }

 private:
  struct Hash {
    size_t operator()(const PathRule& rule) const;
  };

  std::vector<PathRule> rules_;
  std::vector<Confidences> confidences_, log_terms_;
  absl::flat_hash_map<PathRule, uint32_t, Hash> positions_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_RULES_H_
