// Learns and applies the scaling of pair features.
//
// Fit() takes one feature after the other: first its unit c, the 5 % quantile
// of the non-zero magnitudes, then mean and deviation of the signed logarithm
// over all rows. The arrays unit, mean and 1 / deviation are stored one after
// the other in the bundle. A constant feature has 1 / deviation = 0, so it
// scales to 0.
//
// Apply() runs for every scored link, so its loop consists of vector
// instructions: LogOfOnePlus() has neither a branch nor a call.
#include "context/feature_scaling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/vector_variants.h"

namespace slice {
namespace {

constexpr char kArrayName[] = "pair_features.scaling";
constexpr double kUnitQuantile = 0.05;
constexpr float kClip = 6;
// A feature counts as constant when its deviation after the logarithm is below
// this.
constexpr double kLeastDeviation = 1e-6;

// log(1 + x) for x >= 0, with an absolute or relative error of 1e-7. The method
// is that of logf in Cephes.
SLICE_VECTOR_LOOP float LogOfOnePlus(float x) {
  constexpr int32_t kRootOfHalf = 0x3f3504f3;
  const int32_t bits = std::bit_cast<int32_t>(1 + x);
  const int32_t exponent = (bits - kRootOfHalf) >> 23;
  const float f =
      std::bit_cast<float>(
          bits - static_cast<int32_t>(static_cast<uint32_t>(exponent) << 23)) -
      1;
  const float e = static_cast<float>(exponent);
  float p = 7.0376836292e-2f;
  p = p * f - 1.1514610310e-1f;
  p = p * f + 1.1676998740e-1f;
  p = p * f - 1.2420140846e-1f;
  p = p * f + 1.4249322787e-1f;
  p = p * f - 1.6668057665e-1f;
  p = p * f + 2.0000714765e-1f;
  p = p * f - 2.4999993993e-1f;
  p = p * f + 3.3333331174e-1f;
  const float square = f * f;
  return f + (f * square * p - 2.12194440e-4f * e - 0.5f * square) +
         0.693359375f * e;
}

SLICE_VECTOR_LOOP float SignedLog(float value, float unit) {
  return std::copysign(LogOfOnePlus(std::abs(value) / unit), value);
}

// The 5 % quantile of the non-zero magnitudes; 1 when all are 0. Reorders its
// argument.
float Unit(std::vector<float>& magnitudes) {
  std::erase(magnitudes, 0.0f);
  if (magnitudes.empty()) return 1;
  const size_t rank =
      static_cast<size_t>(kUnitQuantile * (magnitudes.size() - 1));
  std::nth_element(magnitudes.begin(), magnitudes.begin() + rank,
                   magnitudes.end());
  return magnitudes[rank];
}

SLICE_VECTOR_LOOP void ScaleBody(float* row, size_t size, const float* unit,
                                 const float* mean,
                                 const float* inverse_deviation) {
  for (size_t i = 0; i < size; ++i) {
    const float z =
        (SignedLog(row[i], unit[i]) - mean[i]) * inverse_deviation[i];
    row[i] = std::min(std::max(z, -kClip), kClip);
  }
}

SLICE_VECTOR_VARIANTS(Scale, ScaleBody,
                      (float* row, size_t size, const float* unit,
                       const float* mean, const float* inverse_deviation),
                      (row, size, unit, mean, inverse_deviation))

// The scaling of one feature.
struct OneScaling {
  float unit, mean, inverse_deviation;
};

OneScaling FitOne(const std::vector<float>& values) {
  std::vector<float> magnitudes;
  for (const float value : values) magnitudes.push_back(std::abs(value));
  const float unit = Unit(magnitudes);
  const auto count = static_cast<double>(std::max<size_t>(1, values.size()));
  double sum = 0, squares = 0;
  for (const float value : values) sum += SignedLog(value, unit);
  const double mean = sum / count;
  for (const float value : values) {
    const double offset = SignedLog(value, unit) - mean;
    squares += offset * offset;
  }
  const double deviation = std::sqrt(squares / count);
  return {unit, static_cast<float>(mean),
          deviation < kLeastDeviation ? 0 : static_cast<float>(1 / deviation)};
}

}  // namespace

FeatureScaling FeatureScaling::Fit(std::span<const float> rows,
                                   size_t feature_count,
                                   std::span<const float> rare) {
  FeatureScaling scaling;
  for (size_t feature = 0; feature < feature_count; ++feature) {
    std::vector<float> values;
    const auto add = [&](std::span<const float> from) {
      for (size_t at = feature; at < from.size(); at += feature_count) {
        values.push_back(from[at]);
      }
    };
    add(rows);
    OneScaling fitted = FitOne(values);
    if (fitted.inverse_deviation == 0) {
      add(rare);
      fitted = FitOne(values);
    }
    scaling.unit_.push_back(fitted.unit);
    scaling.mean_.push_back(fitted.mean);
    scaling.inverse_deviation_.push_back(fitted.inverse_deviation);
  }
  return scaling;
}

absl::StatusOr<FeatureScaling> FeatureScaling::FromStatistics(
    const GraphStatistics& statistics, size_t feature_count) {
  SLICE_ASSIGN_OR_RETURN(const NamedArray* array, statistics.Get(kArrayName));
  const std::vector<int64_t> shape = {3, static_cast<int64_t>(feature_count)};
  if (array->shape != shape || array->values.size() != 3 * feature_count) {
    return absl::DataLossError(
        absl::StrCat(kArrayName, " holds ", array->values.size(),
                     " values, not 3 for each of the ", feature_count,
                     " pair features: the bundle was made for another feature "
                     "set; train it again"));
  }
  FeatureScaling scaling;
  const auto begin = array->values.begin();
  scaling.unit_.assign(begin, begin + feature_count);
  scaling.mean_.assign(begin + feature_count, begin + 2 * feature_count);
  scaling.inverse_deviation_.assign(begin + 2 * feature_count,
                                    array->values.end());
  for (size_t feature = 0; feature < feature_count; ++feature) {
    const float unit = scaling.unit_[feature];
    if (!(unit > 0) || !std::isfinite(unit) ||
        !std::isfinite(scaling.mean_[feature]) ||
        !std::isfinite(scaling.inverse_deviation_[feature])) {
      return absl::DataLossError(absl::StrCat(
          kArrayName, " of feature ", feature, " is not valid (unit ", unit,
          ", mean ", scaling.mean_[feature], ", inverse deviation ",
          scaling.inverse_deviation_[feature], "): train the bundle again"));
    }
  }
  return scaling;
}

void FeatureScaling::AddTo(GraphStatistics& statistics) const {
  NamedArray array;
  array.shape = {3, static_cast<int64_t>(unit_.size())};
  for (const std::vector<float>* row : {&unit_, &mean_, &inverse_deviation_}) {
    array.values.insert(array.values.end(), row->begin(), row->end());
  }
  statistics.Set(kArrayName, std::move(array));
}

void FeatureScaling::Apply(std::span<float> row, size_t first) const {
  Scale(row.data(), row.size(), unit_.data() + first, mean_.data() + first,
        inverse_deviation_.data() + first);
}

}  // namespace slice
