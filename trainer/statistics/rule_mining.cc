// Mines path rules in three steps, each in parallel:
//   1. Discover: some links of each relation are hidden as the options say, and
//      the types of the paths between their ends are counted. The commonest
//      types become the rules of the relation;
//   2. Measure: for some links of each relation, the target is asked for from
//      the source, and the source from the target. Every node that a rule leads
//      to is tallied as a hit or a miss, by the fold of the link and the number
//      of paths;
//   3. Gather: the tallies of all folds but one, or of all folds, become
//      confidences.
// Tallies are integers, and each piece has its own limit on work, so the result
// is the same for any number of threads.
#include "trainer/statistics/rule_mining.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "common/mutex.h"
#include "common/parallel.h"
#include "common/random.h"
#include "context/node_slots.h"
#include "context/path_counter.h"
#include "context/typed_path_search.h"
#include "trainer/learning/training_view.h"

namespace slice {
namespace {

// The questions of a relation and a known end are cut into this many pieces,
// which threads take.
constexpr size_t kPieces = 4;
constexpr double kPriorStrength = 5;
constexpr TypedPathLimits kDiscovery = {256, 48, 64, 4096};

// The nodes that a rule led to: right ones and wrong ones.
struct Tally {
  uint64_t hits = 0;
  uint64_t misses = 0;

  void Add(const Tally& other) {
    hits += other.hits;
    misses += other.misses;
  }
  double Share(double prior) const {
    return (static_cast<double>(hits) + kPriorStrength * prior) /
           (static_cast<double>(hits + misses) + kPriorStrength);
  }
};

// Tallies of the rules of one relation: [rules, known ends, folds, kBuckets].
class TallyTable {
 public:
  TallyTable(size_t rules, size_t folds)
      : folds_(folds), cells_(rules * 2 * folds * PathRules::kBuckets) {}

  Tally& At(size_t rule, size_t known, size_t fold, size_t bucket) {
    return cells_[((rule * 2 + known) * folds_ + fold) * PathRules::kBuckets +
                  bucket];
  }
  void Merge(const TallyTable& other) {
    for (size_t i = 0; i < cells_.size(); ++i) cells_[i].Add(other.cells_[i]);
  }

  // The sums, by bucket, over all folds but `fold`; over all folds when `fold`
  // is the number of folds.
  std::array<Tally, PathRules::kBuckets> Without(size_t rule, size_t known,
                                                 size_t fold) {
    std::array<Tally, PathRules::kBuckets> sums;
    for (size_t f = 0; f < folds_; ++f) {
      if (f == fold) continue;
      for (size_t b = 0; b < sums.size(); ++b) {
        sums[b].Add(At(rule, known, f, b));
      }
    }
    return sums;
  }

 private:
  size_t folds_;
  std::vector<Tally> cells_;
};

std::array<float, PathRules::kBuckets> Confidences(
    const std::array<Tally, PathRules::kBuckets>& tallies) {
  Tally all;
  for (const Tally& tally : tallies) all.Add(tally);
  const double prior = all.Share(0);
  std::array<float, PathRules::kBuckets> confidences;
  for (size_t b = 0; b < tallies.size(); ++b) {
    confidences[b] = static_cast<float>(tallies[b].Share(prior));
  }
  return confidences;
}

class Miner {
 public:
  Miner(const GraphSnapshot& graph, const LinkFolds& folds,
        const RuleMiningOptions& options)
      : graph_(graph),
        folds_(folds),
        options_(options),
        links_(graph.relation_count()),
        rules_(graph.relation_count()) {}

  std::vector<PathRules> Run() {
    CollectLinks();
    ParallelFor(links_.size(), 1, options_.threads,
                [&](size_t begin, size_t end, int) {
                  for (size_t r = begin; r < end; ++r) Discover(r);
                });
    for (const auto& rules : rules_) {
      tables_.emplace_back(rules.size(), folds_.fold_count());
    }
    ParallelFor(links_.size() * 2 * kPieces, 1, options_.threads,
                [&](size_t begin, size_t end, int) {
                  for (size_t i = begin; i < end; ++i) {
                    Measure(i / (2 * kPieces), i / kPieces % 2, i % kPieces);
                  }
                });
    std::vector<PathRules> mined;
    for (int fold = 0; fold <= folds_.fold_count(); ++fold) {
      mined.push_back(Gather(static_cast<size_t>(fold)));
    }
    return mined;
  }

 private:
  // Collects the links of each relation except self loops, in random order.
  void CollectLinks() {
    for (NodeId node = 0; node < graph_.node_count(); ++node) {
      const ArcSpan arcs = graph_.Arcs(node, Direction::kOut);
      for (size_t i = 0; i < arcs.size(); ++i) {
        if (arcs.neighbors[i] == node) continue;
        links_[arcs.relations[i]].push_back(
            {node, arcs.relations[i], arcs.neighbors[i]});
      }
    }
    for (size_t r = 0; r < links_.size(); ++r) {
      Random random(CombineHash(options_.seed, r));
      std::shuffle(links_[r].begin(), links_[r].end(), random);
    }
  }

  void Discover(size_t relation) {
    const size_t count =
        std::min(links_[relation].size(), options_.discovery_links);
    std::map<PathType, size_t> support;
    TypedPathSearch search;
    for (size_t i = 0; i < count; ++i) {
      const Link& link = links_[relation][i];
      const TrainingView view(graph_, {link, /*positive=*/true, link},
                              options_.hide_pair);
      for (const TypedPath& path : search.Find(view, link, kDiscovery)) {
        if (IsRulePath(link.relation, path.relations)) {
          ++support[path.relations];
        }
      }
    }
    std::vector<std::pair<size_t, PathType>> found;
    for (const auto& [path, links] : support) {
      if (links >= options_.least_support) found.emplace_back(links, path);
    }
    std::stable_sort(
        found.begin(), found.end(),
        [](const auto& a, const auto& b) { return a.first > b.first; });
    if (found.size() > options_.most_rules) found.resize(options_.most_rules);
    for (const auto& [links, path] : found) rules_[relation].push_back(path);
    std::sort(rules_[relation].begin(), rules_[relation].end());
  }

  // Asks every kPieces-th question of a relation and a known end, beginning
  // with question `piece`.
  void Measure(size_t relation, size_t known, size_t piece) {
    const std::vector<Link>& links = links_[relation];
    const size_t asked =
        std::max(options_.least_questions,
                 options_.questions / (2 * std::max<size_t>(links_.size(), 1)));
    const uint64_t work = options_.work / (links_.size() * 2 * kPieces);
    TallyTable table(rules_[relation].size(), folds_.fold_count());
    PathCounter counter(graph_);
    std::vector<bool> is_answer(graph_.node_count());
    for (size_t i = piece; i < std::min(links.size(), asked); i += kPieces) {
      if (counter.work() > work) break;
      Ask(links[i], static_cast<Direction>(known), counter, is_answer, table);
    }
    MutexLock lock(&mutex_);
    tables_[relation].Merge(table);
  }

  // Asks for the unknown end of `link` from its known end, the anchor, and
  // tallies the answers of all rules. `is_answer` [nodes] is false everywhere
  // before and after the call.
  void Ask(const Link& link, Direction known, PathCounter& counter,
           std::vector<bool>& is_answer, TallyTable& table) const {
    const bool is_target = known == Direction::kOut;  // the target is asked for
    const NodeId anchor = is_target ? link.source : link.target;
    const NodeId answer = is_target ? link.target : link.source;
    const auto answers = graph_.Neighbors(anchor, link.relation, known);
    for (const NodeId node : answers) is_answer[node] = true;
    const auto fold = static_cast<size_t>(folds_.FoldOf(link));
    const std::vector<PathType>& rules = rules_[link.relation];
    for (size_t rule = 0; rule < rules.size(); ++rule) {
      const PathType path = is_target ? rules[rule] : Reversed(rules[rule]);
      for (const auto& [node, count] : counter.Count(anchor, path, answer)) {
        if (node == anchor || (is_answer[node] && node != answer)) continue;
        Tally& tally = table.At(rule, static_cast<size_t>(known), fold,
                                PathRules::BucketOf(count));
        ++(node == answer ? tally.hits : tally.misses);
      }
    }
    for (const NodeId node : answers) is_answer[node] = false;
  }

  // All rules, with their confidences as TallyTable::Without(..., fold) gives
  // them.
  PathRules Gather(size_t fold) {
    std::vector<PathRule> rules;
    std::vector<PathRules::Confidences> confidences;
    for (size_t relation = 0; relation < rules_.size(); ++relation) {
      for (size_t i = 0; i < rules_[relation].size(); ++i) {
        rules.push_back(
            {static_cast<RelationId>(relation), rules_[relation][i]});
        confidences.emplace_back();
        for (size_t known = 0; known < 2; ++known) {
          confidences.back()[known] =
              Confidences(tables_[relation].Without(i, known, fold));
        }
      }
    }
    return PathRules(std::move(rules), std::move(confidences));
  }

  const GraphSnapshot& graph_;
  const LinkFolds& folds_;
  const RuleMiningOptions& options_;
  std::vector<std::vector<Link>> links_;      // by relation
  std::vector<std::vector<PathType>> rules_;  // by relation, ascending
  Mutex mutex_;
  // By relation. Guarded by mutex_ while threads measure.
  std::vector<TallyTable> tables_;
};

}  // namespace

std::vector<PathRules> MinePathRules(const GraphSnapshot& graph,
                                     const LinkFolds& folds,
                                     const RuleMiningOptions& options) {
  return Miner(graph, folds, options).Run();
}

}  // namespace slice
