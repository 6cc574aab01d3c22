#include "server/pipeline/answer_sizes.h"

#include <algorithm>

#include "server/limits.h"

namespace slice {
namespace {

// Of an answer in the running mean.
constexpr double kWeight = 0.1;

}  // namespace

size_t AnswerSizes::Expected(v1::ExplanationLevel level, size_t links) const {
  const double per_link =
      per_link_[IndexOf(level)].load(std::memory_order_relaxed);
  return static_cast<size_t>(
      std::min<double>(per_link * static_cast<double>(links), kMaxSendBytes));
}

void AnswerSizes::Learn(v1::ExplanationLevel level, size_t links,
                        size_t bytes) {
  if (links == 0 || bytes == 0) return;
  const double seen = static_cast<double>(bytes) / static_cast<double>(links);
  std::atomic<double>& mean = per_link_[IndexOf(level)];
  const double before = mean.load(std::memory_order_relaxed);
  // Of two answers at the same moment one may be lost.
  mean.store(before + kWeight * (seen - before), std::memory_order_relaxed);
}

size_t AnswerSizes::IndexOf(v1::ExplanationLevel level) {
  switch (level) {
    case v1::EXPLANATION_LEVEL_CONTEXT:
      return 1;
    case v1::EXPLANATION_LEVEL_FULL:
      return 2;
    default:
      return 0;
  }
}

}  // namespace slice
