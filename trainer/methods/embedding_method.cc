#include "trainer/methods/embedding_method.h"

#include <numeric>

namespace slice {

void DotProductMethod::Score(std::span<const Link> links,
                             std::span<const Link> /*made_from*/,
                             std::span<float> scores) const {
  const NodeEmbeddings table = embeddings();
  for (size_t i = 0; i < links.size(); ++i) {
    const std::span<const float> source = table.Row(links[i].source);
    const std::span<const float> target = table.Row(links[i].target);
    scores[i] =
        std::inner_product(source.begin(), source.end(), target.begin(), 0.0f);
  }
}

}  // namespace slice
