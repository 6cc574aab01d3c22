// Ranks by a bundle and by baselines that learn nothing, in these steps:
//   1. the questions are read, each a source and a relation with the true
//      targets. They come from held-out links, or from a file of sources that
//      all have the same target. With --sample only some of them are asked;
//   2. the candidates of every question are ranked by the bundle and by each
//      baseline. For the bundle, each thread borrows a CandidateRanker;
//   3. the report compares them, over all links and relation by relation, and
//      names the baselines that do better.
#include "trainer/rank_command.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/mutex.h"
#include "common/processor_count.h"
#include "common/status_macros.h"
#include "common/table/line_reader.h"
#include "context/slot_candidates.h"
#include "graphstore/name_resolver.h"
#include "model/candidate_ranker.h"
#include "trainer/evaluation/baselines.h"
#include "trainer/evaluation/offline_model.h"
#include "trainer/evaluation/ranking.h"
#include "trainer/report/rank_report.h"
#include "trainer/threads_flag.h"

namespace slice {
namespace {

absl::StatusOr<std::vector<Link>> ReadPositives(
    const std::filesystem::path& path, const GraphSnapshot& graph) {
  SLICE_ASSIGN_OR_RETURN(const std::vector<LabelledLink> labelled,
                         ReadLabelledLinks(path, graph));
  std::vector<Link> links;
  for (const LabelledLink& example : labelled) {
    if (example.positive) links.push_back(example.link);
  }
  return links;
}

absl::StatusOr<std::vector<Link>> LinksToTarget(const RankOptions& options,
                                                const GraphSnapshot& graph) {
  const auto relation = graph.FindRelation(options.relation);
  if (!relation) {
    return absl::InvalidArgumentError(
        absl::StrCat("--relation is '", options.relation, "'; the graph has ",
                     SomeRelations(graph, options.relation)));
  }
  const auto target = ResolveKeyOrName(graph, options.target);
  if (!target.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--target: ", std::string(target.status().message())));
  }
  SLICE_ASSIGN_OR_RETURN(const std::string text, ReadFile(options.sources));
  std::vector<Link> links;
  LineReader lines(text);
  while (const auto line = lines.Next()) {
    const auto source = graph.names().FindKey(line->text);
    if (!source) {
      return absl::InvalidArgumentError(
          absl::StrCat(options.sources.string(), ":", line->number,
                       ":1: unknown node '", std::string(line->text), "'"));
    }
    links.push_back({*source, *relation, *target});
  }
  return links;
}

// The questions of one relation.
struct RelationQuestions {
  RelationId relation = 0;
  std::vector<NodeId> candidates;
  std::vector<RankingQuery> queries;
};

// The questions by relation, in the order in which relations appear first.
std::vector<RelationQuestions> GroupByRelation(
    const GraphSnapshot& graph, std::vector<RankingQuery> queries) {
  std::vector<RelationQuestions> groups;
  for (RankingQuery& query : queries) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const RelationQuestions& other) {
                                return other.relation == query.relation;
                              });
    if (group == groups.end()) {
      groups.push_back({query.relation,
                        SlotCandidates(graph, query.relation, Direction::kOut),
                        {}});
      group = groups.end() - 1;
    }
    group->queries.push_back(std::move(query));
  }
  return groups;
}

// The ranks by one method, relation by relation.
absl::StatusOr<std::vector<RankedMethod>> RankWith(
    const std::string& method, std::span<const RelationQuestions> groups,
    const GraphSnapshot& graph, const LinkScorer& scorer, int threads) {
  std::vector<RankedMethod> ranked;
  for (const RelationQuestions& group : groups) {
    RankingOptions ranking;
    ranking.threads = threads;
    ranking.title = absl::StrCat(
        "ranking ",
        groups.size() == 1 ? "" : graph.RelationName(group.relation) + " ",
        "by ", method);
    SLICE_ASSIGN_OR_RETURN(
        const RankingResult result,
        EvaluateRanking(group.queries, group.candidates, graph.node_count(),
                        scorer, ranking));
    ranked.push_back({method, result.metrics});
  }
  return ranked;
}

RankedMethod Together(const std::vector<RankedMethod>& by_relation) {
  RankedMethod all = by_relation.front();
  for (size_t i = 1; i < by_relation.size(); ++i) {
    all.metrics.Merge(by_relation[i].metrics);
  }
  return all;
}

// Scores candidates so that they have the order in which the bundle ranks them.
// Thread-safe: each call borrows a CandidateRanker.
class Rankers {
 public:
  Rankers(const OfflineModel& model, size_t rerank)
      : reading_(model.bundle().manifest().reading),
        scoring_(model.scoring()),
        rerank_(rerank),
        graph_(model.graph()) {}

  // REQUIRES: all links have one source and one relation.
  absl::Status Score(std::span<const Link> links, std::span<float> scores) {
    const EndQuestion question{links[0].source, links[0].relation};
    std::vector<NodeId> targets;
    for (const Link& link : links) targets.push_back(link.target);
    std::unique_ptr<CandidateRanker> ranker = Take();
    SLICE_ASSIGN_OR_RETURN(const CandidateScores all,
                           ranker->ScoreAll(question, targets));
    SLICE_ASSIGN_OR_RETURN(
        const FirstCandidates first,
        ranker->PredictFirst(
            question, targets, all,
            reading_.scorer == Scorer::kStructural ? 0 : rerank_));
    const std::vector<float> merged = MergeScores(all, first, reading_.scorer);
    std::copy(merged.begin(), merged.end(), scores.begin());
    MutexLock lock(&mutex_);
    idle_.push_back(std::move(ranker));
    return absl::OkStatus();
  }

 private:
  std::unique_ptr<CandidateRanker> Take() {
    {
      MutexLock lock(&mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<CandidateRanker> ranker = std::move(idle_.back());
        idle_.pop_back();
        return ranker;
      }
    }
    return std::make_unique<CandidateRanker>(
        graph_, *scoring_.encoder, *scoring_.scorer,
        CandidateRankerOptions{.weights = reading_.rule_weights});
  }

  const OutputReading reading_;
  const ScoringModel scoring_;
  const size_t rerank_;
  const PropagationGraph graph_;
  Mutex mutex_;
  std::vector<std::unique_ptr<CandidateRanker>> idle_;
};

// Ranks the candidates of the same questions by the model and by the baselines.
absl::StatusOr<RankReport> RankAllMethods(
    const OfflineModel& model, std::span<const RelationQuestions> groups,
    const RankOptions& options) {
  const GraphSnapshot& graph = model.graph();
  const int threads = options.threads > 0 ? options.threads : ProcessorCount();
  RankReport report;
  for (const RelationQuestions& group : groups) {
    report.relations.push_back({graph.RelationName(group.relation), {}, {}});
  }
  Rankers rankers(model, options.rerank);
  const auto by_bundle = [&](std::span<const Link> links,
                             std::span<float> scores) {
    return rankers.Score(links, scores);
  };
  SLICE_ASSIGN_OR_RETURN(const std::vector<RankedMethod> by_model,
                         RankWith("slice", groups, graph, by_bundle, threads));
  report.model = Together(by_model);
  for (size_t i = 0; i < groups.size(); ++i) {
    report.relations[i].model = by_model[i];
  }
  if (!options.baselines) return report;
  for (Baseline baseline :
       {Baseline::kPopularity, Baseline::kAdamicAdarTwoSteps,
        Baseline::kThreePaths}) {
    SLICE_ASSIGN_OR_RETURN(
        const auto scorer,
        BaselineScorer::Create(baseline, graph, {}, 0,
                               /*popularity_breaks_ties=*/true));
    SLICE_ASSIGN_OR_RETURN(
        const std::vector<RankedMethod> by_baseline,
        RankWith(
            std::string(BaselineName(baseline)), groups, graph,
            [&](std::span<const Link> links, std::span<float> scores) {
              scorer->Score(links, scores);
              return absl::OkStatus();
            },
            threads));
    report.baselines.push_back(Together(by_baseline));
    for (size_t i = 0; i < groups.size(); ++i) {
      report.relations[i].baselines.push_back(by_baseline[i]);
    }
  }
  return report;
}

// The questions of the options. INVALID_ARGUMENT when there is none.
absl::StatusOr<std::vector<RankingQuery>> ReadQuestions(
    const RankOptions& options, const GraphSnapshot& graph) {
  std::vector<Link> links;
  if (!options.links.empty()) {
    SLICE_ASSIGN_OR_RETURN(links, ReadPositives(options.links, graph));
  } else {
    SLICE_ASSIGN_OR_RETURN(links, LinksToTarget(options, graph));
  }
  if (links.empty()) {
    return absl::InvalidArgumentError(
        "there is no link to rank: --links needs a file with rows labelled 1, "
        "--sources a file with keys");
  }
  std::vector<Link> known;
  for (const auto& path : options.known) {
    SLICE_ASSIGN_OR_RETURN(const std::vector<Link> more,
                           ReadPositives(path, graph));
    known.insert(known.end(), more.begin(), more.end());
  }
  return MakeRankingQueries(graph, links, known);
}

}  // namespace

absl::Status RunRank(const RankOptions& options) {
  if (options.links.empty() && options.sources.empty()) {
    return absl::InvalidArgumentError(
        "give --links FILE, or --sources FILE with --relation and --target");
  }
  SLICE_ASSIGN_OR_RETURN(const auto model, OfflineModel::Open(options.bundle));
  SLICE_RETURN_IF_ERROR(model->CheckRankable());
  SLICE_ASSIGN_OR_RETURN(std::vector<RankingQuery> queries,
                         ReadQuestions(options, model->graph()));
  const size_t asked_for = queries.size();
  if (options.sample > 0) {
    queries = SampleQueries(std::move(queries), options.sample, options.seed);
  }
  const size_t asked = queries.size();
  SLICE_ASSIGN_OR_RETURN(
      RankReport report,
      RankAllMethods(*model,
                     GroupByRelation(model->graph(), std::move(queries)),
                     options));
  if (asked < asked_for) {
    report.sample = QuestionSample{asked, asked_for, options.seed};
  }
  if (!options.sources.empty()) report.only_answer = options.target;
  const std::string text =
      options.json ? RankReportJson(report) : RankReportText(report);
  std::fputs(text.c_str(), stdout);
  return absl::OkStatus();
}

StatusRun DefineRank(CommandFlags& flags) {
  const auto options = std::make_shared<RankOptions>();
  flags.Add("--bundle", options->bundle, "the bundle that ranks")
      .Type("DIR")
      .Required();
  const Flag links =
      flags.Add("--links", options->links, "held-out links to rank")
          .Type("FILE");
  const Flag sources =
      flags
          .Add("--sources", options->sources,
               "keys, one a line, that should all get --target by --relation")
          .Type("FILE");
  const Flag relation =
      flags.Add("--relation", options->relation, "relation of --sources")
          .Type("RELATION");
  const Flag target = flags
                          .Add("--target", options->target,
                               "the target that --sources should get")
                          .Type("NODE");
  links.Excludes(sources);
  sources.Needs(relation).Needs(target);
  flags
      .Add("--known", options->known,
           "more true links, left out of the ranking")
      .Type("FILE");
  flags.Add("--rerank", options->rerank,
            "best candidates of a question that are scored with a context");
  flags.Add("--sample", options->sample, "how many questions to ask; 0: all");
  flags.Add("--seed", options->seed, "seed of the draw of --sample");
  flags.AddOffSwitch("--no-baselines", options->baselines,
                     "rank by slice only");
  AddThreads(flags, options->threads);
  flags.AddSwitch("--json", options->json, "print the result as JSON");
  return [options](const CommandStreams&) { return RunRank(*options); };
}

}  // namespace slice
