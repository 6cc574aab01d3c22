#include "trainer/evaluation/relation_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

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

double Mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(std::max<size_t>(1, values.size()));
}

// Of the mean; rows of one group are taken as one draw.
double StandardError(const WeightTrials& trials, std::span<const double> values,
                     double mean) {
  std::vector<std::pair<uint64_t, double>> by_group;
  for (size_t i = 0; i < values.size(); ++i) {
    by_group.emplace_back(trials.groups[i], values[i] - mean);
  }
  std::sort(by_group.begin(), by_group.end());
  double squares = 0;
  for (size_t i = 0; i < by_group.size();) {
    double sum = 0;
    const uint64_t group = by_group[i].first;
    for (; i < by_group.size() && by_group[i].first == group; ++i) {
      sum += by_group[i].second;
    }
    squares += sum * sum;
  }
  return std::sqrt(squares) /
         static_cast<double>(std::max<size_t>(1, values.size()));
}

}  // namespace

RelationWeightChoice ChooseRelationWeights(const WeightTrials& trials,
                                           size_t relation_count) {
  std::vector<Sums> without;
  for (size_t fold = 0; fold < kFolds; ++fold) {
    without.push_back(SumGains(trials, relation_count, fold));
  }
  RelationWeightChoice choice;
  choice.gain = -std::numeric_limits<double>::infinity();
  for (const double shrinkage : kShrinkages) {
    const std::vector<double> gains =
        JudgeShrinkage(trials, without, shrinkage);
    const double gain = Mean(gains);
    if (gain <= choice.gain) continue;
    choice.gain = gain;
    choice.error = StandardError(trials, gains, gain);
    choice.shrinkage = shrinkage;
  }
  const Sums all = SumGains(trials, relation_count, kFolds);
  choice.common = BestOf(all.all);
  choice.by_relation = Choose(all, choice.shrinkage);
  return choice;
}

}  // namespace slice
