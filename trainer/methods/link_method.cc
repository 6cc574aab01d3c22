#include "trainer/methods/link_method.h"

#include <utility>

#include "absl/strings/str_split.h"

namespace slice {

void TrainedMethod::ScoreCandidates(const EndQuestion& question,
                                    std::span<const NodeId> candidates,
                                    std::span<float> scores) const {
  std::vector<Link> links;
  links.reserve(candidates.size());
  for (const NodeId node : candidates) links.push_back(question.With(node));
  Score(links, links, scores);
}

bool ScoresByDotProduct(const MethodInfo& info,
                        const ParameterValues& parameters) {
  if (info.dot_product.empty()) return false;
  if (info.dot_product == kAlways) return true;
  const std::pair<std::string, std::string> setting =
      absl::StrSplit(info.dot_product, absl::MaxSplits('=', 1));
  return parameters.Word(setting.first) == setting.second;
}

}  // namespace slice
