#include "context/path_rules.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "context/log_count.h"

namespace slice {
namespace {

constexpr char kPathsName[] = "path_rules.paths";
constexpr char kConfidencesName[] = "path_rules.confidences";
constexpr float kMostCertain = 0.999f;

// Where RuleCounter::Returns counts a signed relation.
size_t ReturnIndex(int32_t step) {
  return 2 * static_cast<size_t>(std::abs(step)) + (step < 0 ? 1 : 0);
}

bool IsOrdered(std::span<const PathRule> rules, size_t relation_count) {
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
    return absl::DataLossError(
        absl::StrCat(kPathsName, " and ", kConfidencesName, " do not agree"));
  }
  for (size_t i = 0; i < count; ++i) {
    const float* row = (*paths)->values.data() + 4 * i;
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
  if (!IsOrdered(rules, relation_count)) {
    return absl::DataLossError(
        absl::StrCat(kPathsName, " is out of order, or has relations beyond ",
                     relation_count));
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

std::span<const std::string_view, RuleEvidence::kFeatures>
RuleEvidence::FeatureNames() {
  static constexpr std::string_view kNames[kFeatures] = {
      "to_target.noisy_or", "to_target.best", "to_source.noisy_or",
      "to_source.best", "count"};
  return kNames;
}

void RuleEvidence::Add(const PathRules& path_rules, size_t rule, double count) {
  const size_t bucket = PathRules::BucketOf(count);
  for (const Direction known : {Direction::kOut, Direction::kIn}) {
    const float confidence = path_rules.confidence(rule, known, bucket);
    const auto at = static_cast<size_t>(known);
    noisy_or[at] += path_rules.log_term(rule, known, bucket);
    best[at] = std::max(best[at], confidence);
  }
  ++rules;
}

void RuleEvidence::Write(std::span<float, kFeatures> values) const {
  values[0] = noisy_or[0];
  values[1] = best[0];
  values[2] = noisy_or[1];
  values[3] = best[1];
  values[4] = static_cast<float>(LogCount(static_cast<size_t>(rules)));
}

void RuleCounter::Open(const PathRules& rules, RelationId relation) {
  for (const uint32_t rule : counted_) counts_[rule] = 0;
  counted_.clear();
  for (Returns& returns : returns_) {
    for (const int32_t step : returns.counted) {
      returns.counts[ReturnIndex(step)] = 0;
    }
    returns.counted.clear();
  }
  if (counts_.size() < rules.rules().size()) {
    counts_.resize(rules.rules().size());
  }
  rules_ = &rules;
  relation_ = relation;
}

void RuleCounter::Add(const PathType& path, double times) {
  const auto rule = rules_->Find({relation_, path});
  if (!rule) return;
  if (counts_[*rule] == 0) counted_.push_back(*rule);
  counts_[*rule] += times;
}

void RuleCounter::AddToAndFro(ToAndFro when, int32_t signed_relation,
                              double times) {
  Returns& returns = returns_[static_cast<size_t>(when)];
  const size_t at = ReturnIndex(signed_relation);
  if (at >= returns.counts.size()) returns.counts.resize(at + 1);
  if (returns.counts[at] == 0) returns.counted.push_back(signed_relation);
  returns.counts[at] += times;
}

RuleEvidence RuleCounter::Sum() {
  const int32_t asked = SignedRelation(relation_, Direction::kOut);
  for (const ToAndFro when : {ToAndFro::kBefore, ToAndFro::kAfter}) {
    Returns& returns = returns_[static_cast<size_t>(when)];
    for (const int32_t step : returns.counted) {
      const PathType path = when == ToAndFro::kBefore
                                ? PathType{step, -step, asked}
                                : PathType{asked, step, -step};
      Add(path, std::exchange(returns.counts[ReturnIndex(step)], 0.0));
    }
    returns.counted.clear();
  }
  RuleEvidence evidence;
  for (const uint32_t rule : counted_) {
    evidence.Add(*rules_, rule, counts_[rule]);
  }
  return evidence;
}

}  // namespace slice
