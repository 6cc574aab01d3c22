#include "trainer/methods/link_method.h"

namespace slice {

void TrainedMethod::ScoreCandidates(const EndQuestion& question,
                                    std::span<const NodeId> candidates,
                                    std::span<float> scores) const {
  std::vector<Link> links;
  links.reserve(candidates.size());
  for (const NodeId node : candidates) links.push_back(question.With(node));
  Score(links, links, scores);
}

}  // namespace slice
