#include "trainer/learning/training_examples.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "common/parallel.h"
#include "common/random.h"

namespace slice {
namespace {

constexpr double kMaxUnlinkedShare = 0.5;
constexpr int kSeenAttempts = 100;  // of a planted leak
const NegativeMix kAmongKind = AmongKindMix();

uint64_t LinkHash(const Link& link) {
  return CombineHash(MixBits((uint64_t{link.source} << 32) | link.target),
                     link.relation);
}

bool LacksRelation(const GraphSnapshot& snapshot, NodeId node,
                   RelationId relation) {
  return snapshot.Neighbors(node, relation, Direction::kOut).empty();
}

std::vector<double> SharesFromTypes(const GraphSnapshot& snapshot) {
  const size_t types = snapshot.node_type_count();
  std::vector<double> nodes(types, 0);
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    ++nodes[snapshot.Type(node)];
  }
  std::vector<double> shares(snapshot.relation_count(), 0);
  std::vector<double> linked(types);
  for (RelationId relation = 0; relation < shares.size(); ++relation) {
    std::fill(linked.begin(), linked.end(), 0);
    for (NodeId node = 0; node < snapshot.node_count(); ++node) {
      if (!LacksRelation(snapshot, node, relation)) {
        ++linked[snapshot.Type(node)];
      }
    }
    double possible = 0, actual = 0;
    for (size_t type = 0; type < types; ++type) {
      if (linked[type] > 0) possible += nodes[type];
      actual += linked[type];
    }
    if (possible > 0) shares[relation] = 1 - actual / possible;
  }
  return shares;
}

std::vector<double> SharesFromValid(const GraphSnapshot& snapshot,
                                    std::span<const LabelledLink> valid) {
  std::vector<double> asked(snapshot.relation_count(), 0);
  std::vector<double> lacking(snapshot.relation_count(), 0);
  for (const LabelledLink& example : valid) {
    if (!example.positive) continue;
    const Link& link = example.link;
    ++asked[link.relation];
    lacking[link.relation] +=
        LacksRelation(snapshot, link.source, link.relation);
  }
  for (size_t i = 0; i < asked.size(); ++i) {
    if (asked[i] > 0) lacking[i] /= asked[i];
  }
  return lacking;
}

}  // namespace

TrainingExamples::TrainingExamples(const GraphSnapshot* snapshot,
                                   const NegativeSampler* sampler,
                                   std::vector<Link> positives,
                                   TrainingExampleOptions options)
    : snapshot_(snapshot),
      sampler_(sampler),
      positives_(std::move(positives)),
      options_(std::move(options)) {}

std::vector<Link> TrainingExamples::EpochPositives(int epoch,
                                                   size_t limit) const {
  std::vector<Link> shuffled = positives_;
  Random random(CombineHash(options_.seed, static_cast<uint64_t>(epoch)));
  std::shuffle(shuffled.begin(), shuffled.end(), random);
  if (limit == 0 || limit >= shuffled.size()) return shuffled;
  if (options_.relation_shares.empty()) {
    shuffled.resize(limit);
    return shuffled;
  }
  // Room by whether the embeddings may be read, then relation.
  std::vector<double> room[2];
  const double share = options_.embedded_share;
  for (const bool embedded : {false, true}) {
    room[embedded] = options_.relation_shares;
    const double part = share == 0 ? 1 : embedded ? share : 1 - share;
    for (double& of : room[embedded]) of *= part * static_cast<double>(limit);
  }
  // Within its share first; then whatever fills the epoch.
  std::stable_partition(
      shuffled.begin(), shuffled.end(), [&](const Link& link) {
        return room[share != 0 && IsEmbedded(link)][link.relation]-- >= 1;
      });
  shuffled.resize(limit);
  std::shuffle(shuffled.begin(), shuffled.end(), random);
  return shuffled;
}

std::vector<TrainingExample> TrainingExamples::Expand(const Link& positive,
                                                      int epoch) const {
  Random random(
      CombineHash(CombineHash(options_.seed, epoch + 1), LinkHash(positive)));
  TrainingExample example{positive, true, positive};
  if (!options_.unlinked_shares.empty()) {
    example.hide_relation =
        random.Uniform() < options_.unlinked_shares[positive.relation];
  }
  std::vector<TrainingExample> examples = {example};
  example.positive = false;
  const auto add = [&](NegativeSample sample, const QuestionWeights& weights) {
    if (options_.leak == PlantedLeak::kSeenNegatives) {
      const GraphView all(*snapshot_);
      for (int i = 0;
           i < kSeenAttempts && (all.ArcCount(sample.link.source) == 0 ||
                                 all.ArcCount(sample.link.target) == 0);
           ++i) {
        sample = sampler_->Sample(positive, random);
      }
    }
    example.link = sample.link;
    example.shares_end = sample.keeps_source || sample.keeps_target;
    example.weights = weights;
    examples.push_back(example);
  };
  for (int i = 0; i < options_.negatives_per_positive; ++i) {
    add(sampler_->Sample(positive, random),
        {1, options_.plausible_weight_among_kind});
  }
  for (int i = 0; i < options_.among_kind_negatives; ++i) {
    add(sampler_->Sample(kAmongKind, positive, random),
        {options_.among_kind_weight_plausible, 1});
  }
  return examples;
}

ExampleChunk TrainingExamples::Encode(const LinkEncoder& encoder,
                                      std::span<const Link> positives,
                                      int epoch, int threads) const {
  std::vector<TrainingExample> examples;
  examples.reserve(positives.size() * examples_per_positive());
  for (const Link& positive : positives) {
    for (TrainingExample& example : Expand(positive, epoch)) {
      examples.push_back(example);
    }
  }
  return EncodeExamples(encoder, examples, threads);
}

ExampleChunk TrainingExamples::EncodeExamples(
    const LinkEncoder& encoder, std::span<const TrainingExample> examples,
    int threads) const {
  ExampleChunk chunk;
  chunk.links.resize(examples.size());
  for (const TrainingExample& example : examples) {
    chunk.labels.push_back(example.positive ? 1.0f : 0.0f);
    chunk.weights.push_back(example.weights);
  }
  ParallelFor(examples.size(), 64, threads, [&](size_t begin, size_t end, int) {
    for (size_t i = begin; i < end; ++i) {
      chunk.links[i] = EncodeOne(encoder, examples[i]);
    }
  });
  return chunk;
}

EncodedLink TrainingExamples::EncodeOne(const LinkEncoder& encoder,
                                        const TrainingExample& example) const {
  const TrainingView view = ViewOf(encoder, example);
  if (example.held_out || options_.folds == nullptr) {
    return encoder.Encode(view, example.link);
  }
  EncodedLink encoded =
      encoder.Encode(view, example.link, TablesOf(encoder, example));
  encoded.has_embeddings = IsEmbedded(example.made_from);
  return encoded;
}

PairFeatureTables TrainingExamples::TablesOf(
    const LinkEncoder& encoder, const TrainingExample& example) const {
  PairFeatureTables tables = encoder.tables().ForPairs();
  if (!options_.by_fold.empty()) {
    const auto& without =
        options_.by_fold[options_.folds->FoldOf(example.made_from)];
    if (without.spectral) tables.spectral = &*without.spectral;
    if (without.rules) tables.rules = &*without.rules;
  }
  if (example.hide_relation && !options_.by_source.empty()) {
    const int parts = static_cast<int>(options_.by_source.size());
    const auto& without =
        options_.by_source[SourcePart(example.link.source, parts)];
    if (without.spectral) tables.spectral = &*without.spectral;
  }
  return tables;
}

bool TrainingExamples::IsEmbedded(const Link& positive) const {
  return options_.folds == nullptr ||
         options_.folds->FoldOf(positive) == options_.embedded_fold;
}

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

void EraseFold(const LinkFolds& folds, int fold, GraphData* data) {
  EraseLinks(data,
             [&](const Link& link) { return folds.FoldOf(link) == fold; });
}

void EraseSourcePart(int part, int parts,
                     const std::vector<double>& unlinked_shares,
                     GraphData* data) {
  absl::flat_hash_set<std::pair<NodeId, NodeId>> pairs;
  for (const Link& link : data->links) {
    if (unlinked_shares[link.relation] > 0 &&
        SourcePart(link.source, parts) == part) {
      pairs.insert(std::minmax(link.source, link.target));
    }
  }
  EraseLinks(data, [&](const Link& link) {
    return pairs.contains(std::minmax(link.source, link.target));
  });
}

std::vector<Link> AllLinks(const GraphSnapshot& snapshot) {
  std::vector<Link> links;
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    const ArcSpan arcs = snapshot.Arcs(node, Direction::kOut);
    for (size_t i = 0; i < arcs.size(); ++i) {
      links.push_back({node, arcs.relations[i], arcs.neighbors[i]});
    }
  }
  return links;
}

std::vector<Link> LinksOfFold(const GraphSnapshot& snapshot,
                              const LinkFolds& folds, int fold) {
  std::vector<Link> links = AllLinks(snapshot);
  std::erase_if(links,
                [&](const Link& link) { return folds.FoldOf(link) != fold; });
  return links;
}

std::vector<double> EstimateUnlinkedShares(
    const GraphSnapshot& snapshot, std::span<const LabelledLink> valid) {
  std::vector<double> shares = snapshot.node_type_count() > 1
                                   ? SharesFromTypes(snapshot)
                                   : SharesFromValid(snapshot, valid);
  for (double& share : shares) share = std::min(share, kMaxUnlinkedShare);
  return shares;
}

std::vector<double> EstimateRelationShares(
    const GraphSnapshot& snapshot, std::span<const LabelledLink> valid) {
  std::vector<double> links(snapshot.relation_count(), 0), asked = links;
  for (const Link& link : AllLinks(snapshot)) ++links[link.relation];
  double positives = 0;
  for (const LabelledLink& example : valid) {
    if (!example.positive) continue;
    ++asked[example.link.relation];
    ++positives;
  }
  const double total = static_cast<double>(snapshot.link_count());
  for (size_t i = 0; i < links.size(); ++i) {
    const double of_graph = links[i] / std::max(total, 1.0);
    const double of_valid = positives > 0 ? asked[i] / positives : of_graph;
    links[i] = (of_graph + of_valid) / 2;
  }
  return links;
}

}  // namespace slice
