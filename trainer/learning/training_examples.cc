// How an example comes about:
//   1. EpochPositives draws the positives of an epoch. Where an epoch is a
//      sample, each relation has a quota for fold 0 and one for all other folds
//      together. Positives in random order fill the quotas; if the epoch is
//      then not full, further positives fill it.
//   2. Expand makes a positive example and its negatives. Its random numbers
//      depend on the seed, the epoch and the positive alone, so that examples
//      do not depend on the order of positives or on threads.
//   3. EncodeOne encodes an example in its TrainingView, with the tables of its
//      fold. Only examples of fold 0 read embeddings, since embeddings are made
//      without fold 0.
// A negative belongs to the fold of its positive, and all links of the relation
// at the source are hidden for both or for neither: what is missing must not
// tell them apart.
#include "trainer/learning/training_examples.h"

#include <algorithm>
#include <utility>

#include "common/parallel.h"
#include "common/random.h"
#include "trainer/learning/training_links.h"

namespace slice {
namespace {

// The most redraws of one negative for PlantedLeak::kSeenNegatives.
constexpr int kSeenAttempts = 100;

// The mix for "among kind". Where a new node takes the place of an end, the
// other end is redrawn: otherwise the negative would read like its positive.
NegativeMix AmongKindMixFor(NewEnd new_end) {
  NegativeMix mix = AmongKindMix();
  if (new_end == NewEnd::kSource) mix.source_type_matched = 0;
  if (new_end == NewEnd::kTarget) mix.type_matched = mix.degree_matched = 0;
  return mix;
}

// Pairs that are impossible because of what their ends are. With a new node in
// the place of an end they might be possible.
bool IsImpossible(NegativeKind kind) {
  return kind == NegativeKind::kSelf || kind == NegativeKind::kOffSchema;
}

uint64_t LinkHash(const Link& link) {
  return CombineHash(MixBits((uint64_t{link.source} << 32) | link.target),
                     link.relation);
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
  // Quotas of positives: [1 for the embedded fold, 0 for the others][relation].
  std::vector<double> room[2];
  const double share = options_.embedded_share;
  for (const bool embedded : {false, true}) {
    room[embedded] = options_.relation_shares;
    const double part = share == 0 ? 1 : embedded ? share : 1 - share;
    for (double& links : room[embedded]) {
      links *= part * static_cast<double>(limit);
    }
  }
  // Positives within their quota come first; the others fill the epoch up.
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
  const NewEnd new_end = DrawNewEnd(positive, random);
  example.new_end = new_end;
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
    example.new_end = IsImpossible(sample.kind) ? NewEnd::kNone : new_end;
    example.shares_end = sample.keeps_source || sample.keeps_target;
    example.weights = weights;
    examples.push_back(example);
  };
  for (int i = 0; i < options_.negatives_per_positive; ++i) {
    add(sampler_->Sample(positive, random),
        {1, options_.plausible_weight_among_kind});
  }
  for (int i = 0; i < options_.among_kind_negatives; ++i) {
    add(sampler_->Sample(AmongKindMixFor(new_end), positive, random),
        {options_.among_kind_weight_plausible, 1});
  }
  return examples;
}

NewEnd TrainingExamples::DrawNewEnd(const Link& positive,
                                    Random& random) const {
  // Without a share nothing is drawn: the other draws stay what they were.
  if (options_.new_node_share <= 0) return NewEnd::kNone;
  const double draw = random.Uniform();
  if (draw >= options_.new_node_share || positive.source == positive.target) {
    return NewEnd::kNone;
  }
  return draw < options_.new_node_share / 2 ? NewEnd::kSource : NewEnd::kTarget;
}

Link TrainingExamples::EncodedLinkOf(const TrainingExample& example) const {
  Link link = example.link;
  if (example.new_end == NewEnd::kSource) {
    link.source = options_.new_nodes->InPlaceOf(link.source);
  } else if (example.new_end == NewEnd::kTarget) {
    link.target = options_.new_nodes->InPlaceOf(link.target);
  }
  return link;
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
  const Link link = EncodedLinkOf(example);
  const PairFeatureTables tables = TablesOf(encoder, example);
  EncodedLink encoded =
      example.held_out || IsEmbedded(example.made_from)
          ? encoder.Encode(view, link, tables)
          : encoder.EncodeWithoutEmbeddings(view, link, tables);
  if (example.new_end != NewEnd::kNone) {
    encoded.unknown_nodes = {options_.new_nodes->EmbeddingOf(
        example.new_end == NewEnd::kSource ? link.source : link.target)};
  }
  return encoded;
}

PairFeatureTables TrainingExamples::TablesOf(
    const LinkEncoder& encoder, const TrainingExample& example) const {
  PairFeatureTables tables = encoder.tables().ForPairs();
  if (example.held_out || options_.folds == nullptr) return tables;
  if (!options_.by_fold.empty()) {
    const auto& without =
        options_.by_fold[options_.folds->FoldOf(example.made_from)];
    if (without.spectral) tables.spectral = &*without.spectral;
    if (without.walks) tables.walks = &*without.walks;
    if (without.rules) tables.rules = &*without.rules;
  }
  if (example.hide_relation && !options_.by_source.empty()) {
    const int parts = static_cast<int>(options_.by_source.size());
    const auto& without =
        options_.by_source[SourcePart(example.link.source, parts)];
    if (without.spectral) tables.spectral = &*without.spectral;
    if (without.walks) tables.walks = &*without.walks;
  }
  return tables;
}

bool TrainingExamples::IsEmbedded(const Link& positive) const {
  return options_.folds == nullptr ||
         options_.folds->FoldOf(positive) == options_.embedded_fold;
}

}  // namespace slice
