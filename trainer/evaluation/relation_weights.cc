#include "trainer/evaluation/relation_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "common/random.h"

namespace slice {
namespace {

constexpr size_t kFolds = 5;
constexpr double kShrinkages[] = {10, 30, 100, 300,
                                  std::numeric_limits<double>::infinity()};

// Sums of gains over some rows.
struct Sums {
  std::vector<double> all;          // [weights]
  std::vector<double> by_relation;  // [relations, weights]
  double rows = 0;
};

// The sums over the rows outside of fold `left_out`.
Sums SumGains(const WeightTrials& trials, size_t relation_count,
              size_t left_out) {
  const size_t weights = trials.weights;
  Sums sums;
  sums.all.resize(weights);
  sums.by_relation.resize(relation_count * weights);
  for (size_t row = 0; row < trials.rows(); ++row) {
    if (CombineHash(trials.groups[row], 31) % kFolds == left_out) continue;
    const size_t relation = trials.relations[row];
    for (size_t w = 0; w < weights; ++w) {
      const double gain = trials.gains[row * weights + w];
      sums.all[w] += gain;
      sums.by_relation[relation * weights + w] += gain;
    }
    ++sums.rows;
  }
  return sums;
}

size_t BestOf(std::span<const double> values) {
  return static_cast<size_t>(std::max_element(values.begin(), values.end()) -
                             values.begin());
}

std::vector<size_t> Choose(const Sums& sums, double shrinkage) {
  const size_t weights = sums.all.size();
  const size_t relations = sums.by_relation.size() / weights;
  std::vector<size_t> choice(relations, BestOf(sums.all));
  if (std::isinf(shrinkage) || sums.rows == 0) return choice;
  std::vector<double> mixed(weights);
  for (size_t relation = 0; relation < relations; ++relation) {
    for (size_t w = 0; w < weights; ++w) {
      mixed[w] = sums.by_relation[relation * weights + w] +
                 shrinkage * sums.all[w] / sums.rows;
    }
    choice[relation] = BestOf(mixed);
  }
  return choice;
}

// The gain over weight 0 of each row, by weights chosen without its fold.
std::vector<double> JudgeShrinkage(const WeightTrials& trials,
                                   const std::vector<Sums>& without,
                                   double shrinkage) {
  std::vector<std::vector<size_t>> choices;
  for (const Sums& sums : without) choices.push_back(Choose(sums, shrinkage));
  std::vector<double> gains;
  for (size_t row = 0; row < trials.rows(); ++row) {
    const size_t fold = CombineHash(trials.groups[row], 31) % kFolds;
    const float* const of_row = trials.gains.data() + row * trials.weights;
    gains.push_back(of_row[choices[fold][trials.relations[row]]] - of_row[0]);
  }
  return gains;
}

}  // namespace

bool RelationWeightChoice::IsUsed() const {
  return gain.IsClearGain() &&
         std::ranges::any_of(by_relation,
                             [](size_t place) { return place > 0; });
}

RelationWeightChoice ChooseRelationWeights(const WeightTrials& trials,
                                           size_t relation_count) {
  std::vector<Sums> without;
  for (size_t fold = 0; fold < kFolds; ++fold) {
    without.push_back(SumGains(trials, relation_count, fold));
  }
  RelationWeightChoice choice;
  for (const double shrinkage : kShrinkages) {
    const std::vector<double> gains =
        JudgeShrinkage(trials, without, shrinkage);
    const GroupedMean gain = MeanByGroup(gains, trials.groups);
    const bool first = shrinkage == kShrinkages[0];
    if (!first && gain.mean <= choice.gain.mean) continue;
    choice.gain = gain;
    choice.shrinkage = shrinkage;
  }
  const Sums all = SumGains(trials, relation_count, kFolds);
  choice.common = BestOf(all.all);
  choice.by_relation = Choose(all, choice.shrinkage);
  return choice;
}

std::string DescribeRelationWeights(const RelationWeightChoice& choice,
                                    std::span<const float> grid,
                                    std::string_view measure) {
  const std::string gain =
      absl::StrFormat("%+.4f ± %.4f", choice.gain.mean, choice.gain.error);
  if (!choice.IsUsed()) {
    return absl::StrFormat("not used, as the gain in %s, %s, is not clear",
                           measure, gain);
  }
  return absl::StrFormat(
      "used with weight %g%s, as it gains %s in %s", grid[choice.common],
      std::isinf(choice.shrinkage) ? " for all relations"
                                   : " and near it for each relation",
      gain, measure);
}

}  // namespace slice
