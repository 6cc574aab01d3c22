// Path rules: a path of some type between two nodes speaks for a link of some
// relation between them.
//
// The rule r(u, v) <= p1(u, x), p2(x, v) says: where relations p1 and p2 lead
// from u to v, r links them, with a measured confidence. Rules and their
// confidences follow AMIE (Galarraga et al., WWW 2013). Rules along paths, and
// the way in which several rules add up, follow AnyBURL (Meilicke et al., IJCAI
// 2019) and SAFRAN (Ott et al., AKBC 2021).
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

// Whether `relation` may have a rule with paths of this type. Every type of one
// or two links is allowed. Of three links, (r, s, -s) and (s, -s, r) are
// allowed, where r is `relation` forwards and s any signed relation: one step
// travels r, the other two go to and fro by s.
bool IsRulePath(RelationId relation, const PathType& path);

struct PathRule {
  RelationId relation = 0;
  PathType path = {0, 0, 0};

  auto operator<=>(const PathRule&) const = default;
};

// What a rule adds to a noisy-or: -log(1 - c), where c is its confidence, but
// at most 0.999.
float NoisyOrTerm(float confidence);

// Immutable; thread-safe.
class PathRules {
 public:
  // The confidence of a rule depends on how many paths of its type join the
  // ends: 1, 2-3, 4-7, 8-15, or more. Each of these ranges is a bucket.
  static constexpr size_t kBuckets = 5;
  static size_t BucketOf(double count);

  // Indexed by known end, then by bucket. Known end 0 (Direction::kOut): the
  // source is known, and the confidence is that the path leads to the right
  // target. Known end 1 (kIn): the target is known, and the confidence is that
  // the path, travelled backwards, leads to the right source.
  using Confidences = std::array<std::array<float, kBuckets>, 2>;

  PathRules() = default;
  // confidences[i] belongs to rules[i]. The rules ascend and are distinct.
  PathRules(std::vector<PathRule> rules, std::vector<Confidences> confidences);

  // Reads what a bundle stores under "path_rules.paths" [rules, 4] and
  // "path_rules.confidences" [rules, 2 * kBuckets]. Returns nullopt when either
  // is absent. DATA_LOSS when the arrays do not agree with each other or with
  // `relation_count`.
  static absl::StatusOr<std::optional<PathRules>> FromStatistics(
      const GraphStatistics& statistics, size_t relation_count);
  void AddTo(GraphStatistics& statistics) const;

  std::span<const PathRule> rules() const { return rules_; }
  // The positions [begin, end) of the rules for `relation`.
  std::array<size_t, 2> RangeOf(RelationId relation) const;
  // The position of a rule among rules(), or nullopt.
  std::optional<uint32_t> Find(const PathRule& rule) const;
  float confidence(size_t rule, Direction known, size_t bucket) const {
    return confidences_[rule][static_cast<size_t>(known)][bucket];
  }
  // NoisyOrTerm() of confidence(rule, known, bucket).
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
