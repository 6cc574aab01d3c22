// Time of a recommendation of ten on served bundles (--bundles=DIR,DIR... or
// SLICE_BUNDLES), the server's worker alone, and how many of the ten best by
// scoring every candidate with the context scorer it finds; and of ranking all
// nodes for the same questions.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "common/clock.h"
#include "common/processor_count.h"
#include "common/random.h"
#include "context/end_feature_cache.h"
#include "context/slot_candidates.h"
#include "server/models/model_loader.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

constexpr size_t kQuestions = 200;
constexpr size_t kRecallQuestions = 60;
constexpr size_t kBest = 10;
constexpr size_t kEndFeatureBytes = size_t{256} << 20;
constexpr char kFlag[] = "--bundles=";

struct Bundle {
  std::string name;
  TempDirectory data;
  std::shared_ptr<const ServedModel> loaded;
  std::vector<RecommendQuestion> questions;
  double recall = -1;  // until it is known
};

// Half ask for targets, half for sources: of links of the graph, drawn evenly,
// so that relations come as often as they occur. Links that exist are left out
// of the candidates, as a caller does.
std::vector<RecommendQuestion> DrawQuestions(const ServedModel& model) {
  const GraphSnapshot& graph = *model.snapshot;
  std::vector<Link> links;
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    const ArcSpan arcs = graph.Arcs(node, Direction::kOut);
    for (size_t i = 0; i < arcs.size(); ++i) {
      links.push_back({node, arcs.relations[i], arcs.neighbors[i]});
    }
  }
  Random random(1);
  std::vector<RecommendQuestion> questions;
  for (size_t i = 0; i < kQuestions && !links.empty(); ++i) {
    const Link& link = links[random.Below(static_cast<uint32_t>(links.size()))];
    RecommendQuestion& question = questions.emplace_back();
    const bool targets = i % 2 == 0;
    question.question = {targets ? link.source : link.target, link.relation,
                         targets ? Direction::kOut : Direction::kIn};
    question.candidates =
        SlotCandidates(graph, link.relation, question.question.direction);
    std::erase_if(question.candidates, [&](NodeId node) {
      return node == question.question.anchor ||
             graph.HasLink(question.question.With(node));
    });
    question.k = kBest;
    question.reading = model.manifest.reading;
    question.reading.scorer = Scorer::kContext;
  }
  return questions;
}

NodeId NodeOf(const RecommendQuestion& question, const Link& link) {
  return question.question.direction == Direction::kOut ? link.target
                                                        : link.source;
}

std::vector<NodeId> Recommend(const ServedModel& model,
                              const RecommendQuestion& question) {
  const RecommendLimits limits = {Clock::Real(), absl::InfiniteFuture(),
                                  nullptr};
  std::vector<NodeId> nodes;
  auto ranked = model.recommender->Rank(*model.snapshot, question, limits);
  while (ranked.ok() && !ranked->done()) {
    auto links =
        model.recommender->Explain(*model.snapshot, question, limits, *ranked);
    if (!links.ok()) ranked = links.status();
    if (!links.ok()) break;
    for (const Recommended& link : *links) {
      nodes.push_back(NodeOf(question, link.link));
    }
  }
  if (!ranked.ok()) {
    std::cerr << ranked.status() << std::endl;
    std::exit(1);
  }
  return nodes;
}

// Share of the best by scoring every candidate that are recommended.
double MeasureRecall(const Bundle& bundle) {
  const ServedModel& model = *bundle.loaded;
  const PropagationGraph graph(*model.snapshot);
  CandidateRanker ranker(graph, *model.encoder, *model.scorer,
                         {.weights = model.manifest.reading.rule_weights});
  size_t found = 0, wanted = 0;
  for (size_t i = 0; i < std::min(kRecallQuestions, bundle.questions.size());
       ++i) {
    const RecommendQuestion& question = bundle.questions[i];
    const auto& candidates = question.candidates;
    auto scores = *ranker.ScoreAll(question.question, candidates);
    const auto all = *ranker.PredictNodes(question.question, candidates);
    for (size_t c = 0; c < candidates.size(); ++c) {
      scores.scores[c] += RerankTerm(all[c], Scorer::kContext);
    }
    const std::vector<NodeId> nodes = Recommend(model, question);
    for (const size_t best : FirstPositions(candidates, scores, kBest)) {
      ++wanted;
      found += std::count(nodes.begin(), nodes.end(), candidates[best]);
    }
  }
  return wanted == 0 ? 1 : static_cast<double>(found) / wanted;
}

void RecommendTen(benchmark::State& state, Bundle* bundle) {
  if (bundle->recall < 0) bundle->recall = MeasureRecall(*bundle);
  const Clock& clock = *Clock::Real();
  std::vector<double> milliseconds;
  double candidates = 0;
  for (auto _ : state) {
    for (const RecommendQuestion& question : bundle->questions) {
      const absl::Time start = clock.Now();
      benchmark::DoNotOptimize(Recommend(*bundle->loaded, question));
      milliseconds.push_back(absl::ToDoubleMilliseconds(clock.Now() - start));
      candidates += static_cast<double>(question.candidates.size());
    }
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  const size_t count = milliseconds.size();
  state.counters["p50_ms"] = milliseconds[count / 2];
  state.counters["p99_ms"] = milliseconds[count * 99 / 100];
  state.counters["candidates"] = candidates / static_cast<double>(count);
  state.counters["recall_at_10"] = bundle->recall;
}

// All nodes of the graph by the structural scorer, for each question, by all
// threads. As in the server, what nodes are like as ends of a relation is
// worked out once.
void RankAll(benchmark::State& state, Bundle* bundle) {
  const ServedModel& model = *bundle->loaded;
  const PropagationGraph graph(*model.snapshot);
  EndFeatureCache ends(*model.snapshot, *model.encoder, kEndFeatureBytes);
  CandidateRanker ranker(graph, *model.encoder, *model.scorer,
                         {.weights = model.manifest.reading.rule_weights,
                          .threads = OwnProcessorShare().Count(),
                          .ends = &ends});
  std::vector<NodeId> nodes(model.snapshot->node_count());
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  const Clock& clock = *Clock::Real();
  std::vector<double> milliseconds;
  for (auto _ : state) {
    for (const RecommendQuestion& question : bundle->questions) {
      const absl::Time start = clock.Now();
      auto scores = ranker.ScoreAll(question.question, nodes);
      if (!scores.ok()) {
        state.SkipWithError(std::string(scores.status().message()).c_str());
        return;
      }
      benchmark::DoNotOptimize(scores->scores.data());
      milliseconds.push_back(absl::ToDoubleMilliseconds(clock.Now() - start));
    }
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  state.counters["p50_ms"] = milliseconds[milliseconds.size() / 2];
  state.counters["nodes"] = static_cast<double>(nodes.size());
}

// Takes the flag out of the arguments.
std::string TakeBundles(int* argc, char** argv) {
  const char* variable = std::getenv("SLICE_BUNDLES");
  std::string bundles = variable == nullptr ? "" : variable;
  int kept = 1;
  for (int i = 1; i < *argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with(kFlag)) {
      bundles = argument.substr(sizeof(kFlag) - 1);
    } else {
      argv[kept++] = argv[i];
    }
  }
  *argc = kept;
  return bundles;
}

// "amazon/seed-1" of ".../amazon/seed-1".
std::string NameOf(const std::filesystem::path& directory) {
  return (directory.parent_path().filename() / directory.filename()).string();
}

int Main(int argc, char** argv) {
  const std::string list = TakeBundles(&argc, argv);
  benchmark::Initialize(&argc, argv);
  std::vector<std::unique_ptr<Bundle>> bundles;
  const std::vector<std::string> directories =
      absl::StrSplit(list, ',', absl::SkipEmpty());
  for (const std::string& directory : directories) {
    auto bundle = std::make_unique<Bundle>();
    ServerOptions options;
    options.bundle = directory;
    options.data_dir = bundle->data / "graphs";
    auto loaded = LoadModel(options);
    if (!loaded.ok()) {
      std::cerr << loaded.status() << std::endl;
      return 1;
    }
    bundle->name = NameOf(options.bundle);
    bundle->loaded = *std::move(loaded);
    bundle->questions = DrawQuestions(*bundle->loaded);
    benchmark::RegisterBenchmark(("Recommend/" + bundle->name).c_str(),
                                 RecommendTen, bundle.get())
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1)
        ->UseRealTime();
    benchmark::RegisterBenchmark(("Rank/" + bundle->name).c_str(), RankAll,
                                 bundle.get())
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1)
        ->UseRealTime();
    bundles.push_back(std::move(bundle));
  }
  if (bundles.empty()) std::cerr << "no bundles: give --bundles" << std::endl;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace slice

int main(int argc, char** argv) { return slice::Main(argc, argv); }
