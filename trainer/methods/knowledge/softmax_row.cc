#include "trainer/methods/knowledge/softmax_row.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/vector_math.h"
#include "common/vectors.h"

namespace slice {
namespace {

// Whose exponential is 0.
constexpr float kNone = -1e30f;
constexpr size_t kPadding = 16;  // floats of the widest vector

SLICE_VECTOR_LOOP void WidenBody(const uint16_t* from, size_t count,
                                 float* to) {
  for (size_t i = 0; i < count; ++i) {
    const uint32_t bits = static_cast<uint32_t>(from[i]) << 16;
    std::memcpy(to + i, &bits, sizeof(bits));
  }
}
SLICE_VECTOR_VARIANTS(Widen, WidenBody,
                      (const uint16_t* from, size_t count, float* to),
                      (from, count, to))

// Rounds to nearest, ties to even.
SLICE_VECTOR_LOOP void NarrowBody(const float* from, size_t count,
                                  uint16_t* to) {
  for (size_t i = 0; i < count; ++i) {
    uint32_t bits;
    std::memcpy(&bits, from + i, sizeof(bits));
    to[i] = static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
  }
}
SLICE_VECTOR_VARIANTS(Narrow, NarrowBody,
                      (const float* from, size_t count, uint16_t* to),
                      (from, count, to))

template <VectorSet kSet>
SLICE_VECTOR_LOOP void HighestBody(const float* row, size_t size,
                                   float* highest) {
  Floats<kSet> best = LoadFloats<kSet>(row);
  for (size_t i = kLanes<kSet>; i < size; i += kLanes<kSet>) {
    const Floats<kSet> value = LoadFloats<kSet>(row + i);
    best = value > best ? value : best;
  }
  *highest = best[0];
  for (size_t i = 1; i < kLanes<kSet>; ++i) {
    *highest = best[i] > *highest ? best[i] : *highest;
  }
}
SLICE_VECTOR_KERNEL(Highest, HighestBody,
                    (const float* row, size_t size, float* highest),
                    (row, size, highest))

// row[i] = e^(row[i] - highest); `sum` receives the sum of all.
template <VectorSet kSet>
SLICE_VECTOR_LOOP void ExponentiateBody(float* row, size_t size, float highest,
                                        double* sum) {
  // A sum of floats is exact enough for a stretch of the row.
  constexpr size_t kStretch = 64 * kLanes<kSet>;
  *sum = 0;
  for (size_t begin = 0; begin < size; begin += kStretch) {
    const size_t end = begin + kStretch < size ? begin + kStretch : size;
    Floats<kSet> part = {};
    for (size_t i = begin; i < end; i += kLanes<kSet>) {
      const Floats<kSet> power = Exp(LoadFloats<kSet>(row + i) - highest);
      StoreFloats(power, row + i);
      part += power;
    }
    *sum += Sum(part);
  }
}
SLICE_VECTOR_KERNEL(Exponentiate, ExponentiateBody,
                    (float* row, size_t size, float highest, double* sum),
                    (row, size, highest, sum))

SLICE_VECTOR_LOOP void MultiplyBody(float* row, size_t size, float factor) {
  for (size_t i = 0; i < size; ++i) row[i] *= factor;
}
SLICE_VECTOR_VARIANTS(MultiplyRow, MultiplyBody,
                      (float* row, size_t size, float factor),
                      (row, size, factor))

}  // namespace

double SoftmaxLossOfRow(const SoftmaxRow& row, std::vector<float>& buffer) {
  const size_t padded = RoundUp(row.rivals, kPadding);
  buffer.resize(RoundUp(row.size, kPadding) + kPadding);
  float* const values = buffer.data();
  if (row.floats != nullptr) {
    std::copy_n(row.floats, row.size, values);
  } else {
    Widen(row.bfloats, row.size, values);
  }
  thread_local std::vector<float> answers;  // their scores
  answers.clear();
  for (const uint32_t place : row.answers) answers.push_back(values[place]);
  for (const uint32_t place : row.known) values[place] = kNone;
  std::fill(values + row.rivals, values + RoundUp(row.size, kPadding), kNone);
  float highest = kNone;
  if (padded > 0) Highest(values, padded, &highest);
  for (const float answer : answers) highest = std::max(highest, answer);
  double sum = 0;
  if (padded > 0) Exponentiate(values, padded, highest, &sum);
  std::fill(values + row.rivals, values + row.size, 0.0f);

  double loss = 0, weight = 0;
  for (size_t i = 0; i < answers.size(); ++i) {
    float& answer = answers[i];
    const bool is_rival = row.known.empty() && row.answers[i] < row.rivals;
    const double own = std::exp(double{answer} - highest);
    // The sum holds the power of a rival, unless that is too small for it.
    const double power = is_rival && own < 2 * sum ? 0 : own;
    const double all = power + sum;
    loss += std::log(all) + highest - answer;
    if (sum > 0) weight += 1 / all;  // otherwise the row is zero
    answer = static_cast<float>(power / all - 1);
  }
  MultiplyRow(values, row.rivals, static_cast<float>(weight) * row.scale);
  for (size_t i = 0; i < answers.size(); ++i) {
    values[row.answers[i]] += answers[i] * row.scale;
  }
  if (row.floats != nullptr) {
    std::copy_n(values, row.size, row.floats);
  } else {
    Narrow(values, row.size, row.bfloats);
  }
  return loss;
}

}  // namespace slice
