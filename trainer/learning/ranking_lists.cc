#include "trainer/learning/ranking_lists.h"

#include <algorithm>
#include <utility>

#include "common/random.h"

namespace slice {

ListChunk EncodeLists(const TrainingExamples& examples,
                      const LinkEncoder& encoder,
                      std::span<const HardQuestion> questions, size_t length,
                      uint64_t seed, int threads) {
  std::vector<TrainingExample> of_lists;
  of_lists.reserve(questions.size() * length);
  for (const HardQuestion& question : questions) {
    if (question.rivals.size() + 1 < length) continue;
    TrainingExample example{question.link, true, question.link};
    of_lists.push_back(example);
    example.positive = false;
    example.shares_end = true;
    const uint64_t hash = CombineHash(
        (uint64_t{question.link.source} << 32) | question.link.target,
        2 * question.link.relation + static_cast<uint64_t>(question.direction));
    Random random(CombineHash(seed, hash));
    std::vector<NodeId> rivals = question.rivals;
    // The first steps of a shuffle.
    for (size_t i = 0; i + 1 < length; ++i) {
      const size_t j =
          i + random.Below(static_cast<uint32_t>(rivals.size() - i));
      std::swap(rivals[i], rivals[j]);
      example.link = question.question().With(rivals[i]);
      of_lists.push_back(example);
    }
  }
  ListChunk chunk{.length = length};
  chunk.links =
      std::move(examples.EncodeExamples(encoder, of_lists, threads).links);
  return chunk;
}

}  // namespace slice
