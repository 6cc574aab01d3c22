#include "trainer/methods/messages/link_batches.h"

#include "absl/container/flat_hash_map.h"
#include "common/parallel.h"
#include "common/random.h"
#include "trainer/learning/training_links.h"

namespace slice {
namespace {

constexpr size_t kPositivesAtOnce = 1024;

}  // namespace

LinkParts::LinkParts(const GraphSnapshot& snapshot,
                     const NegativeSampler& sampler, int parts, uint64_t seed)
    : sampler_(sampler), folds_(parts, seed), seed_(seed) {
  start_.resize(static_cast<size_t>(parts) + 1);
  ForEachLink(snapshot, [&](const Link& link) {
    ++start_[static_cast<size_t>(folds_.FoldOf(link)) + 1];
  });
  for (size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
  links_.resize(start_.back());
  std::vector<uint64_t> next(start_.begin(), start_.end() - 1);
  ForEachLink(snapshot, [&](const Link& link) {
    links_[next[static_cast<size_t>(folds_.FoldOf(link))]++] = link;
  });
}

LinkBatch LinkParts::Batch(int part, int negatives, int threads) const {
  const std::span<const Link> positives = Positives(part);
  const auto each = static_cast<size_t>(negatives);
  LinkBatch batch;
  batch.positives = positives.size();
  batch.links.resize(positives.size() * (1 + each));
  std::copy(positives.begin(), positives.end(), batch.links.begin());
  Link* const made = batch.links.data() + positives.size();
  const uint64_t seed =
      CombineHash(CombineHash(seed_, 1), static_cast<uint64_t>(part));
  ParallelFor(positives.size(), kPositivesAtOnce, threads,
              [&](size_t begin, size_t end, int) {
                Random random(CombineHash(seed, begin));
                for (size_t i = begin; i < end; ++i) {
                  for (size_t k = 0; k < each; ++k) {
                    made[i * each + k] =
                        sampler_.Sample(positives[i], random).link;
                  }
                }
              });
  return batch;
}

LinkEnds LinkEnds::Of(const LinkBatch& batch, std::span<const NodeId> more) {
  LinkEnds ends;
  absl::flat_hash_map<NodeId, uint32_t> positions;
  const auto position = [&](NodeId node) {
    const auto [found, is_new] =
        positions.emplace(node, static_cast<uint32_t>(ends.nodes.size()));
    if (is_new) ends.nodes.push_back(node);
    return found->second;
  };
  for (const NodeId node : more) position(node);
  ends.sources.reserve(batch.links.size());
  ends.targets.reserve(batch.links.size());
  for (const Link& link : batch.links) {
    ends.sources.push_back(position(link.source));
    ends.targets.push_back(position(link.target));
  }
  return ends;
}

}  // namespace slice
