#include "trainer/learning/ranking_lists.h"

#include <algorithm>
#include <utility>

#include "common/random.h"
#include "trainer/metrics.h"

namespace slice {

size_t ListLengthFor(std::span<const HardQuestion> questions, size_t most) {
  if (questions.empty()) return most;
  std::vector<size_t> lengths;
  for (const HardQuestion& question : questions) {
    lengths.push_back(question.rivals.size() + 1);
  }
  const auto tenth =
      lengths.begin() + static_cast<ptrdiff_t>((lengths.size() - 1) / 10);
  std::nth_element(lengths.begin(), tenth, lengths.end());
  return std::clamp<size_t>(*tenth, 2, most);
}

ListChunk EncodeLists(const TrainingExamples& examples,
                      const LinkEncoder& encoder,
                      std::span<const HardQuestion> questions,
                      const ListOptions& options) {
  const size_t length = options.length;
  std::vector<TrainingExample> of_lists;
  of_lists.reserve(questions.size() * length);
  for (const HardQuestion& question : questions) {
    if (question.rivals.size() + 1 < length) continue;
    TrainingExample example{question.link, true, question.link};
    example.held_out = options.held_out;
    of_lists.push_back(example);
    example.positive = false;
    example.shares_end = true;
    const uint64_t hash = CombineHash(
        (uint64_t{question.link.source} << 32) | question.link.target,
        2 * question.link.relation + static_cast<uint64_t>(question.direction));
    Random random(CombineHash(options.seed, hash));
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
  chunk.links = std::move(
      examples.EncodeExamples(encoder, of_lists, options.threads).links);
  return chunk;
}

std::vector<double> ReciprocalRanks(const ListChunk& lists,
                                    std::span<const float> scores,
                                    size_t column) {
  std::vector<double> ranks;
  if (lists.links.empty()) return ranks;
  const size_t columns = scores.size() / lists.links.size();
  for (size_t begin = 0; begin < lists.links.size(); begin += lists.length) {
    const auto score_of = [&](size_t i) {
      return scores[(begin + i) * columns + column];
    };
    std::vector<float> rivals;
    for (size_t i = 1; i < lists.length; ++i) rivals.push_back(score_of(i));
    ranks.push_back(1 / RankAmong(score_of(0), rivals));
  }
  return ranks;
}

}  // namespace slice
