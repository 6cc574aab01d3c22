#include "trainer/methods/embedding_method.h"

#include <numeric>

namespace slice {
namespace {

float Dot(std::span<const float> a, std::span<const float> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0f);
}

}  // namespace

void DotProductMethod::Score(std::span<const Link> links,
                             std::span<const Link> /*made_from*/,
                             std::span<float> scores) const {
  const NodeEmbeddings table = embeddings();
  for (size_t i = 0; i < links.size(); ++i) {
    scores[i] = Dot(table.Row(links[i].source), table.Row(links[i].target));
  }
}

void InputOutputMethod::Score(std::span<const Link> links,
                              std::span<const Link> /*made_from*/,
                              std::span<float> scores) const {
  const NodeEmbeddings inputs = embeddings();
  const NodeEmbeddings outputs = {outputs_, dim_};
  for (size_t i = 0; i < links.size(); ++i) {
    const auto& [source, relation, target] = links[i];
    scores[i] = Dot(inputs.Row(source), outputs.Row(target)) +
                Dot(inputs.Row(target), outputs.Row(source));
  }
}

}  // namespace slice
