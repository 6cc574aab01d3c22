// Holds the path rules of a bundle. They are sorted, so that the rules of one
// relation are a range; a hash table finds a single rule.
//
// The bundle stores two arrays. A row of "path_rules.paths" is {relation, step,
// step, step}, as floats; steps are signed relations, 0 beyond the length. A
// row of "path_rules.confidences" holds kBuckets confidences for a known
// source, then kBuckets for a known target. NoisyOrTerm() of each confidence is
// computed once, when the rules are read.
#include "context/path_rules.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

constexpr char kPathsName[] = "path_rules.paths";
constexpr char kConfidencesName[] = "path_rules.confidences";
constexpr float kMostCertain = 0.999f;  // NoisyOrTerm(1) would be infinite

// Whether the numbers of a rule can become ids: a relation, then steps. False
// for NaN, too.
bool FitsIds(std::span<const float> rule, size_t relation_count) {
  const auto limit = static_cast<float>(relation_count);
  return rule[0] >= 0 &&
         std::all_of(rule.begin(), rule.end(),
                     [limit](float value) { return std::abs(value) <= limit; });
}

// Whether the rules ascend and use only relations of the graph.
bool AreValid(std::span<const PathRule> rules, size_t relation_count) {
  for (size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].relation >= relation_count) return false;
    for (const int32_t step : rules[i].path) {
      if (static_cast<size_t>(std::abs(step)) > relation_count) return false;
    }
    if (i > 0 && rules[i - 1] >= rules[i]) return false;
  }
  return true;
}

}  // namespace

PathType Reversed(const PathType& path) {
  if (path[2] != 0) return {-path[2], -path[1], -path[0]};
  if (path[1] != 0) return {-path[1], -path[0], 0};
  return {-path[0], 0, 0};
}

bool IsRulePath(RelationId relation, const PathType& path) {
  if (path[2] == 0) return true;
  const int32_t asked = SignedRelation(relation, Direction::kOut);
  return (path[0] == asked && path[1] == -path[2]) ||
         (path[2] == asked && path[0] == -path[1]);
}

float NoisyOrTerm(float confidence) {
  return -std::log1p(-std::min(confidence, kMostCertain));
}

size_t PathRules::BucketOf(double count) {
  size_t bucket = 0;
  for (double least = 1.5; bucket + 1 < kBuckets && count > least;
       least = 2 * least + 0.5) {
    ++bucket;
  }
  return bucket;
}

PathRules::PathRules(std::vector<PathRule> rules,
                     std::vector<Confidences> confidences)
    : rules_(std::move(rules)),
      confidences_(std::move(confidences)),
      log_terms_(confidences_) {
  for (Confidences& of_rule : log_terms_) {
    for (auto& known : of_rule) {
      for (float& term : known) {
        term = NoisyOrTerm(term);
      }
    }
  }
  positions_.reserve(rules_.size());
  for (size_t i = 0; i < rules_.size(); ++i) {
    positions_.emplace(rules_[i], static_cast<uint32_t>(i));
  }
}

absl::StatusOr<std::optional<PathRules>> PathRules::FromStatistics(
    const GraphStatistics& statistics, size_t relation_count) {
  const auto paths = statistics.Get(kPathsName);
  const auto values = statistics.Get(kConfidencesName);
  if (!paths.ok() || !values.ok()) return std::nullopt;
  const size_t count = (*paths)->values.size() / 4;
  std::vector<PathRule> rules(count);
  std::vector<Confidences> confidences(count);
  if ((*paths)->values.size() != 4 * count ||
      (*values)->values.size() != 2 * kBuckets * count) {
    return absl::DataLossError(absl::StrCat(
        kPathsName, " holds ", (*paths)->values.size(), " values and ",
        kConfidencesName, " ", (*values)->values.size(), ", not 4 and ",
        2 * kBuckets, " for each rule: train the bundle again"));
  }
  bool in_range = true;
  for (size_t i = 0; i < count; ++i) {
    const float* row = (*paths)->values.data() + 4 * i;
    in_range = FitsIds({row, 4}, relation_count);
    if (!in_range) break;
    rules[i].relation = static_cast<RelationId>(row[0]);
    for (size_t step = 0; step < 3; ++step) {
      rules[i].path[step] = static_cast<int32_t>(row[step + 1]);
    }
    const float* cell = (*values)->values.data() + 2 * kBuckets * i;
    for (auto& known : confidences[i]) {
      std::copy_n(cell, kBuckets, known.begin());
      cell += kBuckets;
    }
  }
  if (!in_range || !AreValid(rules, relation_count)) {
    return absl::DataLossError(
        absl::StrCat(kPathsName,
                     " has rules out of order or with unknown relations (the "
                     "graph has ",
                     relation_count, "): train the bundle again"));
  }
  return PathRules(std::move(rules), std::move(confidences));
}

void PathRules::AddTo(GraphStatistics& statistics) const {
  const auto count = static_cast<int64_t>(rules_.size());
  NamedArray paths{{count, 4}, {}};
  NamedArray confidences{{count, static_cast<int64_t>(2 * kBuckets)}, {}};
  for (const PathRule& rule : rules_) {
    paths.values.push_back(rule.relation);
    for (const int32_t step : rule.path) {
      paths.values.push_back(static_cast<float>(step));
    }
  }
  for (const Confidences& of_rule : confidences_) {
    for (const auto& known : of_rule) {
      confidences.values.insert(confidences.values.end(), known.begin(),
                                known.end());
    }
  }
  statistics.Set(kPathsName, std::move(paths));
  statistics.Set(kConfidencesName, std::move(confidences));
}

std::array<size_t, 2> PathRules::RangeOf(RelationId relation) const {
  const auto [begin, end] =
      std::equal_range(rules_.begin(), rules_.end(), PathRule{relation, {}},
                       [](const PathRule& a, const PathRule& b) {
                         return a.relation < b.relation;
                       });
  return {static_cast<size_t>(begin - rules_.begin()),
          static_cast<size_t>(end - rules_.begin())};
}

std::optional<uint32_t> PathRules::Find(const PathRule& rule) const {
  const auto found = positions_.find(rule);
  if (found == positions_.end()) return std::nullopt;
  return found->second;
}

size_t PathRules::Hash::operator()(const PathRule& rule) const {
  uint64_t hash = rule.relation;
  for (const int32_t step : rule.path) {
    hash = (hash + static_cast<uint32_t>(step)) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return static_cast<size_t>(hash);
}

}  // namespace slice
