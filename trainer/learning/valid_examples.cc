#include "trainer/learning/valid_examples.h"

#include <set>

#include "common/random.h"

namespace slice {

std::vector<TrainingExample> ValidExamples(std::span<const LabelledLink> valid,
                                           const NegativeSampler& sampler,
                                           uint64_t seed) {
  std::set<Link> positives;
  for (const LabelledLink& example : valid) {
    if (example.positive) positives.insert(example.link);
  }
  Random random(CombineHash(seed, 3));
  std::vector<TrainingExample> examples;
  for (const auto& [link, positive] : valid) {
    TrainingExample example{link, positive, link};
    example.held_out = true;
    example.weights = {1.0f, positive ? 1.0f : 0.0f};
    examples.push_back(example);
    if (!positive) continue;
    const auto other = sampler.Draw(NegativeKind::kTypeMatched, link, random);
    if (!other || positives.contains(other->link)) continue;
    example.link = other->link;
    example.positive = false;
    example.shares_end = true;
    example.weights = {0, 1};
    examples.push_back(example);
  }
  return examples;
}

}  // namespace slice
