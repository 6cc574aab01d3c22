// What the types of the paths between two nodes say of a link between them. A
// rule r(u, v) <= p1(u, x), p2(x, v) holds as often as its confidence says:
// AMIE (Galarraga et al., WWW 2013); rules along paths, and how several of them
// agree: AnyBURL (Meilicke et al., IJCAI 2019), SAFRAN (Ott et al., AKBC 2021).
#ifndef SLICE_CONTEXT_PATH_RULES_H_
#define SLICE_CONTEXT_PATH_RULES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "graphstore/graph_statistics.h"
#include "graphstore/types.h"

namespace slice {

// The signed relations of a path, from the source to the target; 0 beyond its
// length.
using PathType = std::array<int32_t, 3>;

// The same path from its other end.
PathType Reversed(const PathType& path);

// Whether rules are made of such paths for `relation`: all of one or two links,
// and of three links those that travel the relation once and go to and fro for
// the rest, (r, s, -s), (s, -s, r) and so (r, -r, r).
bool IsRulePath(RelationId relation, const PathType& path);

struct PathRule {
  RelationId relation = 0;
  PathType path = {0, 0, 0};

  auto operator<=>(const PathRule&) const = default;
};

// What a rule adds to a noisy-or kept as a logarithm: -log(1 - confidence), the
// confidence at most 0.999.
float NoisyOrTerm(float confidence);

// Immutable; thread-safe.
class PathRules {
 public:
  // Confidences by the number of paths: 1, 2-3, 4-7, 8-15, and more.
  static constexpr size_t kBuckets = 5;
  static size_t BucketOf(double count);

  // When the source is known (index 0, Direction::kOut) the confidence is that
  // of the target, and the other way round.
  using Confidences = std::array<std::array<float, kBuckets>, 2>;

  PathRules() = default;
  // Parallel; rules ascending, none twice.
  PathRules(std::vector<PathRule> rules, std::vector<Confidences> confidences);

  // As stored in a bundle under "path_rules.paths" [rules, 4] and
  // "path_rules.confidences" [rules, 2 * kBuckets]; nothing when absent.
  // DATA_LOSS when the arrays make no sense for so many relations.
  static absl::StatusOr<std::optional<PathRules>> FromStatistics(
      const GraphStatistics& statistics, size_t relation_count);
  void AddTo(GraphStatistics& statistics) const;

  std::span<const PathRule> rules() const { return rules_; }
  // The positions [begin, end) of those for `relation`.
  std::array<size_t, 2> RangeOf(RelationId relation) const;
  // The position of a rule, or nothing.
  std::optional<uint32_t> Find(const PathRule& rule) const;
  float confidence(size_t rule, Direction known, size_t bucket) const {
    return confidences_[rule][static_cast<size_t>(known)][bucket];
  }
  // Its NoisyOrTerm().
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

// What all rules together say of one link.
struct RuleEvidence {
  static constexpr size_t kFeatures = 5;
  // In the order of Write().
  static std::span<const std::string_view, kFeatures> FeatureNames();

  // Adds a rule whose path joins the ends `count` times.
  void Add(const PathRules& rules, size_t rule, double count);

  //   to_target.noisy_or  -log of the chance that every rule errs, were they
  //                       independent: sum of -log(1 - confidence), for a known
  //                       source; to_source.noisy_or for a known target
  //   to_target.best      the highest confidence; to_source.best
  //   count               log1p of the number of rules
  void Write(std::span<float, kFeatures> values) const;

  std::array<float, 2> noisy_or = {0, 0};
  std::array<float, 2> best = {0, 0};
  float rules = 0;
};

// Counts the paths of one link by rule. Thread-compatible; its memory is reused
// from one link to the next.
class RuleCounter {
 public:
  // Starts anew; `rules` must outlive the counting.
  void Open(const PathRules& rules, RelationId relation);
  void Add(const PathType& path, double times);
  // Adds a path that goes to and fro by a signed relation s, before or after
  // the relation: (s, -s, relation) or (relation, s, -s).
  enum class ToAndFro { kBefore, kAfter };
  void AddToAndFro(ToAndFro when, int32_t signed_relation, double times);
  RuleEvidence Sum();

 private:
  // Paths to and fro are many of few types: rules are looked up once per type.
  struct Returns {
    std::vector<double> counts;    // by 2 |s|, and one more for s < 0
    std::vector<int32_t> counted;  // s where it is not 0
  };

  const PathRules* rules_ = nullptr;
  RelationId relation_ = 0;
  std::vector<double> counts_;     // [rules]
  std::vector<uint32_t> counted_;  // where it is not 0
  Returns returns_[2];             // by ToAndFro
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_RULES_H_
