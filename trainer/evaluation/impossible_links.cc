#include "trainer/evaluation/impossible_links.h"

#include <functional>
#include <set>

#include "common/random.h"
#include "common/status_macros.h"
#include "graphstore/schema_fit.h"
#include "trainer/evaluation/evaluation.h"
#include "trainer/evaluation/link_scoring.h"
#include "trainer/learning/training_links.h"

namespace slice {
namespace {

constexpr size_t kDrawsPerPair = 50;

// Draws links of the graph, lets `change` make a pair of each, and keeps the
// pairs for which it returns true.
std::vector<Link> DrawPairs(const GraphSnapshot& snapshot,
                            const KnownLinks& known, size_t count,
                            const std::function<bool(Link&)>& change,
                            Random& random) {
  const std::vector<Link> links = AllLinks(snapshot);
  std::set<Link> pairs;
  for (size_t i = 0; i < kDrawsPerPair * count && !links.empty(); ++i) {
    if (pairs.size() == count) break;
    Link link = links[random.Below(static_cast<uint32_t>(links.size()))];
    if (!change(link) || snapshot.HasLink(link) || known.Contains(link)) {
      continue;
    }
    pairs.insert(link);
  }
  return {pairs.begin(), pairs.end()};
}

// Scores `pairs` and completes `set` by what it counts.
absl::Status Measure(const ScoringModel& model, const OutputReading& reading,
                     const std::vector<Link>& pairs, int threads,
                     ImpossibleLinks& set) {
  SLICE_ASSIGN_OR_RETURN(
      ScoredLinks scored,
      ScoreManyLinks(model, pairs, pairs, threads, "impossible links"));
  set.pairs = pairs.size();
  for (Prediction& prediction : scored.predictions) {
    prediction.Read(reading);
    set.called += prediction.decision;
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<Link> DrawSelfPairs(const GraphSnapshot& snapshot,
                                const KnownLinks& known, size_t count,
                                uint64_t seed) {
  Random random(CombineHash(seed, 1));
  const auto change = [&](Link& link) {
    (random.Below(2) == 0 ? link.source : link.target) =
        random.Below(2) == 0 ? link.source : link.target;
    return link.source == link.target &&
           snapshot.schema().self_loops(link.relation) == 0;
  };
  return DrawPairs(snapshot, known, count, change, random);
}

std::vector<Link> DrawOffSchemaPairs(const GraphSnapshot& snapshot,
                                     const KnownLinks& known, size_t count,
                                     uint64_t seed) {
  Random random(CombineHash(seed, 2));
  const auto change = [&](Link& link) {
    (random.Below(2) == 0 ? link.source : link.target) =
        random.Below(static_cast<uint32_t>(snapshot.node_count()));
    return link.source != link.target &&
           !FitsSchema(snapshot, snapshot.schema(), link);
  };
  return DrawPairs(snapshot, known, count, change, random);
}

absl::StatusOr<std::vector<ImpossibleLinks>> MeasureImpossibleLinks(
    const ScoringModel& model, const OutputReading& reading,
    const KnownLinks& known, int threads) {
  const GraphSnapshot& graph = *model.snapshot;
  std::vector<ImpossibleLinks> sets = {
      {"self", "Self pairs",
       "An end of a train link at both ends, for relations that link no node "
       "to "
       "itself in train."},
      {"off_schema", "Off-schema pairs",
       graph.schema().typed()
           ? "A train link with one end replaced by a node of a type that the "
             "relation never has there in train."
           : "A train link with one end replaced by a node that has other "
             "relations in train than nodes at that end ever have."}};
  SLICE_RETURN_IF_ERROR(
      Measure(model, reading,
              DrawSelfPairs(graph, known, kImpossiblePairs, kEvaluationSeed),
              threads, sets[0]));
  SLICE_RETURN_IF_ERROR(Measure(
      model, reading,
      DrawOffSchemaPairs(graph, known, kImpossiblePairs, kEvaluationSeed),
      threads, sets[1]));
  return sets;
}

}  // namespace slice
