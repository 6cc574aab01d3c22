// A method that has learned nothing.
#ifndef SLICE_TESTS_TRAINER_METHODS_HASH_METHOD_H_
#define SLICE_TESTS_TRAINER_METHODS_HASH_METHOD_H_

#include <cstdint>
#include <span>

#include "common/random.h"
#include "trainer/methods/link_method.h"

namespace slice {

// Scores by a hash of the link, from 0 to below 10. Few values make many ties.
class HashMethod : public TrainedMethod {
 public:
  explicit HashMethod(uint64_t values) : values_(values) {}

  void Score(std::span<const Link> links, std::span<const Link> /*made_from*/,
             std::span<float> scores) const override {
    for (size_t i = 0; i < links.size(); ++i) scores[i] = ScoreOf(links[i]);
  }
  float ScoreOf(const Link& link) const {
    const uint64_t hash =
        CombineHash(CombineHash(link.source, link.relation), link.target);
    return 10 * static_cast<float>(hash % values_) /
           static_cast<float>(values_);
  }

 private:
  const uint64_t values_;
};

}  // namespace slice

#endif  // SLICE_TESTS_TRAINER_METHODS_HASH_METHOD_H_
