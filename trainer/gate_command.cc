// Compares two bundles in these steps:
//   1. the test links are looked up in both graphs; what either bundle has
//      learned, or what cannot be compared, is left out
//      (trainer/gate/gate_links.h);
//   2. both bundles score the links, and rank the answers of questions about a
//      sample of them (trainer/gate/gate_scores.h);
//   3. a paired bootstrap decides (trainer/gate/gate_verdict.h).
#include "trainer/gate_command.h"

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/command/exit_status.h"
#include "common/processor_count.h"
#include "common/status_macros.h"
#include "trainer/evaluation/offline_model.h"
#include "trainer/gate/gate_links.h"
#include "trainer/gate/gate_report.h"
#include "trainer/gate/gate_scores.h"
#include "trainer/threads_flag.h"

namespace slice {
namespace {

absl::Status TooFewLinks(const std::string& reason) {
  return WithExitStatus(
      absl::FailedPreconditionError(absl::StrCat(
          reason, "; wait for more links, or give a file with more")),
      kExitTooFewLinks);
}

struct Bundles {
  const OfflineModel& current;
  const OfflineModel& candidate;
  const SharedNames names{current.graph(), candidate.graph(),
                          current.trained_graph()};
};

absl::Status CheckEnoughLinks(const GateLinks& links,
                              const GateOptions& options) {
  const size_t compared = links.Positives().size();
  if (compared >= options.verdict.least_links) return absl::OkStatus();
  return TooFewLinks(absl::StrCat(
      options.test.path, " has ", compared,
      " links that both bundles can be compared on, and at least ",
      options.verdict.least_links, " are needed (--least-links): of ",
      links.rows, " rows, ", links.in_current + links.in_candidate,
      " are in a train graph, and the current bundle lacks a node or the "
      "relation of ",
      links.only_candidate + links.unknown));
}

// The answers of both bundles to all links.
absl::StatusOr<std::vector<GateAnswer>> AnswerLinks(const Bundles& bundles,
                                                    const GateLinks& links,
                                                    int threads) {
  SLICE_ASSIGN_OR_RETURN(
      const std::vector<float> current,
      ScoreGateLinks(bundles.current, GateSide::kCurrent, links, threads));
  SLICE_ASSIGN_OR_RETURN(
      const std::vector<float> candidate,
      ScoreGateLinks(bundles.candidate, GateSide::kCandidate, links, threads));
  std::vector<GateAnswer> answers;
  for (size_t i = 0; i < links.links.size(); ++i) {
    const GateLink& link = links.links[i];
    answers.push_back({link.made_from, link.current.relation, link.positive,
                       current[i], candidate[i]});
  }
  return answers;
}

// Says of each measure that has no figure over all relations why. Such a
// measure cannot find the candidate worse; without any there is no verdict.
// `unranked` is why no questions were asked; or empty.
absl::Status CheckMeasures(const GateOptions& options,
                           const std::string& unranked, GateReport& report) {
  const auto has = [&](GateMeasure measure) {
    return absl::c_any_of(report.figures, [&](const GateFigure& figure) {
      return figure.is_overall && figure.measure == measure;
    });
  };
  const size_t least = options.verdict.least_links;
  if (!has(GateMeasure::kAuroc)) {
    report.notes.push_back(absl::StrCat(
        "AUROC is not compared: it needs ", least,
        " non-links (--least-links), and ", options.test.path, " has ",
        report.links.links.size() - report.links.Positives().size()));
  }
  if (!has(GateMeasure::kReciprocalRank)) {
    report.notes.push_back(
        unranked.empty()
            ? absl::StrCat("no ranks are compared: that needs ", least,
                           " links (--least-links), and --ranking is ",
                           options.ranking)
            : unranked);
  }
  if (!report.figures.empty()) return absl::OkStatus();
  return TooFewLinks(absl::StrCat("nothing can be compared: ",
                                  absl::StrJoin(report.notes, "; ")));
}

// The answers of both bundles to questions about a sample of the links. None,
// with a note, when a bundle cannot rank.
absl::StatusOr<std::vector<GateAnswer>> AnswerQuestions(
    const Bundles& bundles, const GateLinks& links, const GateOptions& options,
    int threads, std::string* note) {
  if (options.ranking == 0) return std::vector<GateAnswer>();
  for (const OfflineModel* model : {&bundles.current, &bundles.candidate}) {
    const absl::Status rankable = model->CheckRankable();
    if (rankable.ok()) continue;
    *note = absl::StrCat("no ranks are compared: ", rankable.message());
    return std::vector<GateAnswer>();
  }
  const std::vector<GateQuestion> questions =
      MakeGateQuestions(links, options.ranking);
  SLICE_ASSIGN_OR_RETURN(
      const std::vector<float> current,
      RankGateQuestions(bundles.current, GateSide::kCurrent, questions, links,
                        bundles.names, threads));
  SLICE_ASSIGN_OR_RETURN(
      const std::vector<float> candidate,
      RankGateQuestions(bundles.candidate, GateSide::kCandidate, questions,
                        links, bundles.names, threads));
  std::vector<GateAnswer> answers;
  for (size_t i = 0; i < questions.size(); ++i) {
    const uint32_t link = questions[i].link;
    answers.push_back({link, links.links[link].current.relation, true,
                       current[i], candidate[i]});
  }
  return answers;
}

absl::StatusOr<GateReport> Measure(const Bundles& bundles,
                                   const GateOptions& options) {
  SLICE_ASSIGN_OR_RETURN(const std::vector<NamedLink> rows,
                         ReadNamedLinks(options.test));
  GateReport report;
  report.current_id = bundles.current.bundle().manifest().bundle_id;
  report.candidate_id = bundles.candidate.bundle().manifest().bundle_id;
  report.test = options.test.path;
  report.relations = bundles.current.graph().relations();
  report.options = options.verdict;
  SLICE_ASSIGN_OR_RETURN(
      report.links, ChooseGateLinks(rows, bundles.names, options.verdict.seed));
  SLICE_RETURN_IF_ERROR(CheckEnoughLinks(report.links, options));
  const int threads = options.threads > 0 ? options.threads : ProcessorCount();
  SLICE_ASSIGN_OR_RETURN(const std::vector<GateAnswer> links,
                         AnswerLinks(bundles, report.links, threads));
  std::string unranked;
  SLICE_ASSIGN_OR_RETURN(
      const std::vector<GateAnswer> ranks,
      AnswerQuestions(bundles, report.links, options, threads, &unranked));
  report.figures = CompareAnswers(links, ranks, options.verdict);
  SLICE_RETURN_IF_ERROR(CheckMeasures(options, unranked, report));
  return report;
}

}  // namespace

absl::Status RunGate(const GateOptions& options, std::ostream& out) {
  SLICE_ASSIGN_OR_RETURN(const auto current,
                         OfflineModel::Open(options.current));
  SLICE_ASSIGN_OR_RETURN(const auto candidate,
                         OfflineModel::Open(options.candidate));
  if (options.same_graph) {
    SLICE_RETURN_IF_ERROR(current->MoveToGraphOf(*candidate));
  }
  SLICE_ASSIGN_OR_RETURN(const GateReport report,
                         Measure(Bundles{*current, *candidate}, options));
  out << (options.json ? GateReportJson(report) : GateReportText(report))
      << std::flush;
  if (report.is_worse()) {
    return absl::AbortedError(
        "the candidate may not replace the current bundle, see the verdict; "
        "--margin allows a loss that you accept");
  }
  return absl::OkStatus();
}

StatusRun DefineGate(CommandFlags& flags) {
  const auto options = std::make_shared<GateOptions>();
  flags
      .Add("--candidate", options->candidate,
           "the bundle that may be published")
      .Type("DIR")
      .Required();
  flags
      .Add("--current", options->current,
           "the bundle that answers until then, with its graph/")
      .Type("DIR")
      .Required();
  flags
      .Add("--test", options->test.path,
           "new links, labelled or true ones alone, by key")
      .Type("FILE")
      .Required();
  AddAskedLinkFileFormat(flags, options->test);
  flags.AddSwitch("--same-graph", options->same_graph,
                  "the current bundle answers on the graph of the candidate, "
                  "as a server does whose graph has changed");
  GateTestOptions& verdict = options->verdict;
  flags
      .Add("--least-links", verdict.least_links,
           "fewer links are not compared, overall or of a relation")
      .Between(2, std::numeric_limits<double>::infinity());
  flags
      .Add("--confidence", verdict.confidence,
           "of the intervals, and that a candidate which is as good passes")
      .Between(0.5, 0.9999);
  flags
      .Add("--margin", verdict.margin,
           "by how much the AUROC or MRR of the candidate may be lower")
      .Between(0, 1);
  flags.Add("--ranking", options->ranking,
            "how many links are asked about in a ranking; 0: none");
  flags.Add("--seed", verdict.seed, "seed of the draws");
  AddThreads(flags, options->threads);
  flags.AddSwitch("--json", options->json, "print the result as JSON");
  flags.Footer(
      "Exit codes: 0 the candidate may replace the current bundle; 1 it is "
      "worse, or another failure; 2 wrong command line or bad input; 3 too few "
      "links.");
  return [options](const CommandStreams& streams) {
    return RunGate(*options, streams.out);
  };
}

}  // namespace slice
