// PlantedGraph is the graph as a function: OutDegree says how many links a
// source begins and Target says where each of them leads. Nothing is stored;
// every draw of a random number hashes the seed, its Purpose and what it is
// drawn for.
//
// GraphFiles writes the files relation by relation and source by source:
//
// 1. DrawTargets draws the distinct targets of a source. When a community is so
//    small that most draws repeat, it takes the next nodes of the type instead.
// 2. A hash of each link decides whether it goes to train, valid or test.
// 3. A held-out link is followed by a negative: a node that the same source
//    does not link to. That needs only the targets of one source at a time.
//
// A source has at most MostTargets links; the links that this cap takes from
// popular sources go to the next sources, so that the total is as asked.
#include "graphstore/graph_generator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/progress.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "common/table/text_output.h"
#include "graphstore/types.h"

namespace slice {
namespace {

constexpr std::array<const char*, 3> kTypes = {"person", "item", "tag"};
constexpr uint64_t kMostNodes = 1'000'000'000;
constexpr uint64_t kMostHeldOut = 50'000;
constexpr int kMostRelations = 1000;
constexpr int kDrawsPerTarget = 8;  // then any node of the type is taken
constexpr uint64_t kProgressLinks = 1 << 14;

// What a random number is drawn for.
enum Purpose : uint64_t { kTarget = 1, kFill, kSplit, kNegative, kShift };

template <typename... Values>
uint64_t HashAll(uint64_t seed, Values... values) {
  ((seed = CombineHash(seed, static_cast<uint64_t>(values))), ...);
  return seed;
}

// A node, as its number among the nodes of its type.
using Place = uint64_t;

struct Relation {
  std::string name;
  int source_type = 0, target_type = 0;
  uint64_t links = 0;
  uint64_t shift = 0;  // community of a target minus community of its source
  // The plain relations that a link of a rule follows; empty when the relation
  // is plain itself.
  std::vector<int> steps;
};

// The planted graph as functions.
class PlantedGraph {
 public:
  explicit PlantedGraph(const GeneratorOptions& options);

  const std::vector<Relation>& relations() const { return relations_; }
  int type_count() const { return types_; }
  uint64_t TypeSize(int type) const {
    return nodes_ / types_ + (static_cast<uint64_t>(type) < nodes_ % types_);
  }
  uint64_t Community(Place place) const { return place % communities_; }

  // How many links `source` begins, before the cap of MostTargets.
  uint64_t OutDegree(const Relation& relation, Place source) const;
  // The most links by `relation` that one source may have.
  uint64_t MostTargets(const Relation& relation) const {
    return std::max<uint64_t>(TypeSize(relation.target_type) / 2, 1);
  }
  // The target of the draw with number `draw`. Targets of different draws may
  // be equal.
  Place Target(int relation, Place source, uint64_t draw) const;

 private:
  // A node of a type and a community, chosen by `uniform`, which is in [0, 1).
  // Popular nodes are chosen more often. When the community has no node of the
  // type, any node of the type.
  Place InCommunity(int type, uint64_t community, double uniform) const;
  // Follows a rule from `source`, by one random link for each of its steps, and
  // returns the node that it reaches.
  Place Follow(const Relation& rule, Place source, Random* random) const;

  const uint64_t nodes_, communities_, seed_;
  const double noise_;
  int types_ = 1;
  int plain_ = 1;  // relations before the rules
  std::vector<Relation> relations_;
};

PlantedGraph::PlantedGraph(const GeneratorOptions& options)
    : nodes_(options.nodes),
      communities_(options.communities),
      seed_(options.seed),
      noise_(options.noise) {
  plain_ = (options.relations + 1) / 2;
  types_ = std::min<int>(plain_, kTypes.size());
  for (int i = 0; i < options.relations; ++i) {
    Relation relation;
    const uint64_t share = options.links / options.relations;
    relation.links =
        share + (static_cast<uint64_t>(i) < options.links % options.relations);
    relation.shift = HashAll(seed_, kShift, i) % communities_;
    if (i < plain_) {
      relation.name = absl::StrCat("plain", i);
      relation.source_type = i % types_;
      relation.target_type = (i + 1) % types_;
    } else {
      const int steps = 2 + (i - plain_) % 2;
      relation.name = absl::StrCat(steps == 2 ? "two-step" : "three-step", i);
      // Plain relation i ends at the type where plain relation i + 1 begins, so
      // a rule can take them in a row. If there are no more plain relations
      // than types, the last one leads back to the type where the first one
      // begins.
      const int first = (i - plain_) % std::max(plain_ - 2, 1);
      for (int step = 0; step < steps; ++step)
        relation.steps.push_back((first + step) % plain_);
      relation.source_type = relations_[relation.steps.front()].source_type;
      relation.target_type = relations_[relation.steps.back()].target_type;
    }
    relations_.push_back(std::move(relation));
  }
}

uint64_t PlantedGraph::OutDegree(const Relation& relation, Place source) const {
  // The first x of n sources have the share sqrt(x / n) of the links.
  const double size = static_cast<double>(TypeSize(relation.source_type));
  const double links = static_cast<double>(relation.links);
  const auto before = [&](double x) {
    return static_cast<uint64_t>(links * std::sqrt(x / size));
  };
  return before(static_cast<double>(source + 1)) -
         before(static_cast<double>(source));
}

Place PlantedGraph::InCommunity(int type, uint64_t community,
                                double uniform) const {
  const uint64_t size = TypeSize(type);
  if (community >= size) return static_cast<Place>(uniform * size);
  const uint64_t members = (size - community - 1) / communities_ + 1;
  // Squaring makes low numbers popular.
  const auto member = static_cast<uint64_t>(uniform * uniform * members);
  return community + communities_ * std::min(member, members - 1);
}

Place PlantedGraph::Follow(const Relation& rule, Place source,
                           Random* random) const {
  Place at = source;
  for (const int step : rule.steps) {
    const uint64_t links = std::min(OutDegree(relations_[step], at),
                                    MostTargets(relations_[step]));
    if (links == 0)
      return InCommunity(rule.target_type, Community(source),
                         random->Uniform());
    at = Target(step, at, (*random)() % links);
  }
  return at;
}

Place PlantedGraph::Target(int relation, Place source, uint64_t draw) const {
  Random random(HashAll(seed_, kTarget, relation, source, draw));
  const Relation& planted = relations_[relation];
  if (random.Uniform() < noise_) {
    return static_cast<Place>(random.Uniform() * TypeSize(planted.target_type));
  }
  if (!planted.steps.empty()) return Follow(planted, source, &random);
  return InCommunity(planted.target_type,
                     (Community(source) + planted.shift) % communities_,
                     random.Uniform());
}

// Writes the links of a planted graph, source by source.
class GraphFiles {
 public:
  GraphFiles(const GeneratorOptions& options, GeneratorSummary* summary)
      : options_(options), graph_(options), summary_(*summary) {}

  absl::Status Write();

 private:
  absl::Status Open();
  absl::Status WriteNodes();
  absl::Status WriteRelation(int relation, ProgressLine* progress);
  void DrawTargets(int relation, Place source, uint64_t count);
  void WriteLink(int relation, Place source, Place target, bool first);

  void AppendKey(int type, Place place) {
    absl::StrAppend(&line_, kTypes[type], place);
  }

  const GeneratorOptions& options_;
  const PlantedGraph graph_;
  GeneratorSummary& summary_;
  std::unique_ptr<TextOutput> train_, valid_, test_, nodes_;
  // The share of all links that valid gets; test gets the same share.
  double held_out_share_ = 0;

  // The targets of the source that is being written.
  std::vector<Place> targets_;
  absl::flat_hash_set<Place> taken_;  // its targets and negatives
  std::string line_;
};

absl::Status GraphFiles::Open() {
  SLICE_RETURN_IF_ERROR(CreateDirectories(options_.out));
  const std::vector<std::filesystem::path> paths = GeneratedFiles(options_);
  std::filesystem::path* const named[] = {&summary_.train, &summary_.valid,
                                          &summary_.test, &summary_.nodes};
  std::unique_ptr<TextOutput>* const files[] = {&train_, &valid_, &test_,
                                                &nodes_};
  for (size_t i = 0; i < paths.size(); ++i) {
    *named[i] = paths[i];
    SLICE_ASSIGN_OR_RETURN(*files[i], TextOutput::Create(paths[i]));
  }
  return absl::OkStatus();
}

absl::Status GraphFiles::WriteNodes() {
  nodes_->Append("key\ttype\tname\n");
  for (int type = 0; type < graph_.type_count(); ++type) {
    for (Place place = 0; place < graph_.TypeSize(type); ++place) {
      line_.clear();
      AppendKey(type, place);
      absl::StrAppend(&line_, "\t", kTypes[type], "\t", kTypes[type], " ",
                      place, " of community ", graph_.Community(place), "\n");
      nodes_->Append(line_);
    }
    SLICE_RETURN_IF_ERROR(nodes_->status());
  }
  return nodes_->Commit();
}

void GraphFiles::DrawTargets(int relation, Place source, uint64_t count) {
  const Relation& planted = graph_.relations()[relation];
  const bool same_type = planted.source_type == planted.target_type;
  targets_.clear();
  taken_.clear();
  if (same_type) taken_.insert(source);  // no self loops
  for (uint64_t draw = 0;
       targets_.size() < count && draw < kDrawsPerTarget * count; ++draw) {
    const Place target = graph_.Target(relation, source, draw);
    if (taken_.insert(target).second) targets_.push_back(target);
  }
  // Too many draws repeated: take the next nodes of the type.
  const uint64_t size = graph_.TypeSize(planted.target_type);
  Place next = HashAll(options_.seed, kFill, relation, source) % size;
  for (uint64_t tried = 0; targets_.size() < count && tried < size; ++tried) {
    if (taken_.insert(next).second) targets_.push_back(next);
    next = (next + 1) % size;
  }
}

void GraphFiles::WriteLink(int relation, Place source, Place target,
                           bool first) {
  const Relation& planted = graph_.relations()[relation];
  const auto make_line = [&](Place end, const char* label) {
    line_.clear();
    absl::StrAppend(&line_, planted.name, "\t");
    AppendKey(planted.source_type, source);
    line_.push_back('\t');
    AppendKey(planted.target_type, end);
    absl::StrAppend(&line_, label, "\n");
  };
  Random random(HashAll(options_.seed, kSplit, relation, source, target));
  const double split = random.Uniform();
  // Every relation needs a training link: its first.
  if (split >= 2 * held_out_share_ || first) {
    make_line(target, "");
    train_->Append(line_);
    ++summary_.train_links;
    return;
  }
  const bool test = split < held_out_share_;
  TextOutput& file = test ? *test_ : *valid_;
  make_line(target, "\t1");
  file.Append(line_);
  ++(test ? summary_.test_links : summary_.valid_links);
  const uint64_t size = graph_.TypeSize(planted.target_type);
  for (int attempt = 0; attempt < 100; ++attempt) {
    const auto other = static_cast<Place>(random.Uniform() * size);
    if (!taken_.insert(other).second) continue;
    make_line(other, "\t0");
    file.Append(line_);
    ++(test ? summary_.test_negatives : summary_.valid_negatives);
    return;
  }
}

absl::Status GraphFiles::WriteRelation(int relation, ProgressLine* progress) {
  const Relation& planted = graph_.relations()[relation];
  const uint64_t most = graph_.MostTargets(planted);
  uint64_t owed = 0;  // links of this and earlier sources, not yet written
  uint64_t written = 0;
  bool first = true;
  for (Place source = 0; source < graph_.TypeSize(planted.source_type);
       ++source) {
    owed += graph_.OutDegree(planted, source);
    const uint64_t count = std::min(owed, most);
    DrawTargets(relation, source, count);
    owed -= targets_.size();
    for (const Place target : targets_)
      WriteLink(relation, source, target, std::exchange(first, false));
    written += targets_.size();
    if (written < kProgressLinks) continue;
    progress->Advance(written);
    written = 0;
    SLICE_RETURN_IF_ERROR(train_->status());
  }
  progress->Advance(written);
  return train_->status();
}

absl::Status GraphFiles::Write() {
  SLICE_RETURN_IF_ERROR(Open());
  SLICE_RETURN_IF_ERROR(WriteNodes());
  const uint64_t held_out = options_.held_out > 0
                                ? options_.held_out
                                : std::min(options_.links / 20, kMostHeldOut);
  held_out_share_ =
      static_cast<double>(held_out) / static_cast<double>(options_.links);
  ProgressLine progress("generate", options_.links, "links");
  for (size_t i = 0; i < graph_.relations().size(); ++i)
    SLICE_RETURN_IF_ERROR(WriteRelation(static_cast<int>(i), &progress));
  progress.Finish();
  for (TextOutput* file : {train_.get(), valid_.get(), test_.get()})
    SLICE_RETURN_IF_ERROR(file->Commit());
  return absl::OkStatus();
}

absl::Status OutOfRange(const char* flag, uint64_t value,
                        const std::string& range) {
  return absl::InvalidArgumentError(
      absl::StrCat("--", flag, " is ", value, "; it must be ", range));
}

}  // namespace

absl::Status GeneratorOptions::Validate() const {
  if (relations < 1 || relations > kMostRelations) {
    return OutOfRange("relations", relations,
                      absl::StrCat("from 1 to ", kMostRelations));
  }
  if (nodes < 12 || nodes > kMostNodes)
    return OutOfRange("nodes", nodes, absl::StrCat("from 12 to ", kMostNodes));
  if (communities < 1 || communities > nodes)
    return OutOfRange("communities", communities,
                      "from 1 to the number of nodes");
  // A relation has at least a third of the nodes as sources and as targets, and
  // a source links to at most half of the targets.
  const uint64_t third = nodes / kTypes.size();
  const uint64_t most = static_cast<uint64_t>(relations) * (third * third / 4);
  if (links < static_cast<uint64_t>(relations) || links > most) {
    return OutOfRange(
        "links", links,
        absl::StrCat("from ", relations, " to ", most, " with ", nodes,
                     " nodes and ", relations, " relations"));
  }
  if (held_out * 4 > links)
    return OutOfRange("held-out", held_out, "at most a quarter of the links");
  if (!(noise >= 0 && noise <= 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--noise is ", noise, "; it must be from 0 to 1"));
  }
  return absl::OkStatus();
}

std::vector<std::filesystem::path> GeneratedFiles(
    const GeneratorOptions& options) {
  const std::string ending =
      options.compression.empty() ? "" : "." + options.compression;
  std::vector<std::filesystem::path> files;
  for (const char* name : {"train.tsv", "valid.tsv", "test.tsv", "nodes.tsv"}) {
    files.push_back(options.out / (name + ending));
  }
  return files;
}

absl::StatusOr<GeneratorSummary> GenerateGraph(
    const GeneratorOptions& options) {
  SLICE_RETURN_IF_ERROR(options.Validate());
  GeneratorSummary summary;
  SLICE_RETURN_IF_ERROR(GraphFiles(options, &summary).Write());
  return summary;
}

}  // namespace slice
