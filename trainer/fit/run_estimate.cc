// The seconds of a run are modelled step by step, as a number of units times
// the cost of one:
//   import       a train link
//   embed        a node visited on a walk
//   statistics   a train link, by the rank of its factors
//   structural   an example
//   pretrain     a context
//   fine-tune    an example, by the layers of the network
//   knowledge    a number of a question or of its rival, as products of both
//   evaluate     a row of valid or test
// The cost of an example and of a row grows linearly with the links at the ends
// of a link. The coefficients were fitted to the times of whole runs on two
// threads of an AMD EPYC: the presets default and fast on Amazon, DBLP,
// Freebase and Twitter (docs/presets.md), and fast on planted graphs of 1 to 20
// million links (docs/scaling.md). On these the model is off by a third at
// most, which the bounds cover.
#include "trainer/fit/run_estimate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "trainer/fit/hard_questions.h"
#include "trainer/fit/knowledge_step.h"
#include "trainer/fit/ranking_network.h"
#include "trainer/fit/walk_tables.h"

namespace slice {
namespace {

constexpr double kLeast = 0.6, kMost = 1.8;
// The threads of the runs that the coefficients were fitted to, and the part of
// the work that more threads make faster.
constexpr double kFittedThreads = 2, kParallelShare = 0.8;
constexpr int kFittedRank = 128;
constexpr double kMibPerByte = 1.0 / (1 << 20);

// Positives of an epoch; `most` 0 means all.
double Positives(const RunSize& size, uint64_t most) {
  const uint64_t links = size.train_links;
  return double(most == 0 ? links : std::min(links, most));
}

double ExamplesPerPositive(const FitOptions& options) {
  return 1 + options.negatives_per_positive +
         (options.uses_pair_features() ? options.among_kind_negatives : 0);
}

double EmbedSeconds(const FitOptions& options, const RunSize& size) {
  if (options.embedding_source != EmbeddingSource::kNode2vec) return 1;
  const Node2vecOptions& walks = options.node2vec;
  return 4e-7 * double(size.nodes) * walks.walks_per_node * walks.walk_length *
         walks.epochs;
}

double StatisticsSeconds(const FitOptions& options, const RunSize& size) {
  if (!options.uses_pair_features()) return 0;
  const double rank = options.SpectralRank(size.train_links);
  return 3 + 3e-5 * double(size.train_links) * rank / kFittedRank;
}

// Walk vectors of all graphs, and two short trainings.
double WalkSeconds(const FitOptions& options, const RunSize& size) {
  if (!options.uses_pair_features() || options.walk_dim == 0) return 0;
  const WalkTableOptions walks;
  const double pairs = std::max(walks.pairs, 480 * double(size.nodes));
  const double graphs = options.folds + 3;  // whole, folds, parts of sources
  return 6e-10 * pairs * graphs * options.walk_dim +
         2 * 3 * Positives(size, 100'000) * ExamplesPerPositive(options) *
             (8e-6 + 1.1e-8 * size.links_at_ends);
}

double StructuralSeconds(const FitOptions& options, const RunSize& size) {
  if (!options.uses_pair_features()) return 0;
  return options.StructuralEpochs(size.train_links) *
         Positives(size, options.structural_positives) *
         ExamplesPerPositive(options) * (8e-6 + 1.1e-8 * size.links_at_ends);
}

double NetworkSeconds(const FitOptions& options, const RunSize& size) {
  if (options.structural_only()) return 0;
  const double layers = std::max(1, options.network.layers);
  const double contexts =
      double(size.nodes) * options.pretrain_contexts_per_node;
  const double pretrain = 5e-4 * options.pretrain_epochs * contexts;
  const double examples =
      options.fine_tune_epochs * Positives(size, options.fine_tune_positives) *
      ExamplesPerPositive(options) * options.contexts_per_link;
  const double cost = 1.1e-4 + 3.6e-7 * size.links_at_ends;
  const double runs = options.without_fine_tuning   ? 0
                      : options.compare_pretraining ? 2
                                                    : 1;
  return (pretrain + runs * examples * cost) * (0.5 + 0.5 * layers);
}

// The search for hard candidates, and the lists of all epochs.
double RankingSeconds(const FitOptions& options, const RunSize& size) {
  if (!LearnsToRank(options)) return 0;
  constexpr double kSearched = HardQuestionSearch::kMostScores;
  constexpr double kListed = 25 * 2;  // links of a list, epochs
  const double questions =
      std::min(double(options.hard_questions), double(size.train_links));
  return 7e-7 * std::min(kSearched, questions * double(size.nodes)) +
         questions * kListed * (8e-6 + 1.1e-8 * size.links_at_ends);
}

// The products of all questions with their rivals, and the ranking questions of
// the fusion.
double KnowledgeSeconds(const FitOptions& options, const RunSize& size) {
  if (!TrainsKnowledge(options, size.nodes, size.train_links)) return 0;
  const double rivals =
      size.nodes < 16'384 ? double(size.nodes) : 8192;  // ComplexOptions
  const double products = 2 * double(size.train_links) * rivals *
                          double(KnowledgeDim(size.nodes)) *
                          KnowledgeEpochs(size.train_links);
  const double fusion = std::min(30.0, 6e-3 * double(size.train_links));
  return 1.2e-11 * products + fusion;
}

double EvaluationSeconds(const RunSize& size) {
  return double(size.valid_rows + size.test_rows) *
         (1.5e-4 + 2e-7 * size.links_at_ends);
}

double MemoryMib(const FitOptions& options, const RunSize& size) {
  // The program and its libraries, and the graph as it is read.
  double mib = 300 + 2e-4 * double(size.train_links);
  if (options.uses_pair_features()) {
    const double factors = options.folds + 3;  // whole, folds, parts of sources
    mib += 1.67e-3 * ExamplesPerPositive(options) *
           Positives(size, options.structural_positives);
    mib += double(size.nodes) *
           (options.SpectralRank(size.train_links) + 2 * options.walk_dim) *
           sizeof(float) * factors * kMibPerByte;
  }
  if (TrainsKnowledge(options, size.nodes, size.train_links)) {
    const double copies = 5;
    mib += double(size.nodes * KnowledgeDim(size.nodes)) * sizeof(float) *
           copies * kMibPerByte;
  }
  if (options.embedding_source != EmbeddingSource::kNone) {
    const double copies = 3;
    mib += double(size.nodes) * options.node2vec.dim * sizeof(float) * copies *
           kMibPerByte;
  }
  return mib;
}

}  // namespace

RunSize MeasureRun(uint64_t nodes, std::span<const Link> links,
                   uint64_t valid_rows, uint64_t test_rows) {
  std::vector<uint32_t> degrees(nodes, 0);
  for (const Link& link : links) {
    ++degrees[link.source];
    ++degrees[link.target];
  }
  double sum = 0;
  for (const Link& link : links)
    sum += double(degrees[link.source]) + degrees[link.target];
  RunSize size;
  size.nodes = nodes;
  size.train_links = links.size();
  size.valid_rows = valid_rows;
  size.test_rows = test_rows;
  size.links_at_ends = links.empty() ? 0 : sum / double(links.size());
  return size;
}

RunEstimate EstimateRun(const FitOptions& options, const RunSize& size) {
  const double import = 2e-6 * double(size.train_links);
  const double seconds =
      import + EmbedSeconds(options, size) + StatisticsSeconds(options, size) +
      WalkSeconds(options, size) + StructuralSeconds(options, size) +
      NetworkSeconds(options, size) + RankingSeconds(options, size) +
      KnowledgeSeconds(options, size) + EvaluationSeconds(size);
  const double speed = (1 - kParallelShare) + kParallelShare * kFittedThreads /
                                                  options.WorkerThreads();
  RunEstimate estimate;
  // Starting, writing and publishing take a few seconds on any graph.
  estimate.least_seconds = 3 + kLeast * speed * seconds;
  estimate.most_seconds = 10 + kMost * speed * seconds;
  estimate.memory_mib = MemoryMib(options, size);
  return estimate;
}

std::string DescribeEstimate(const RunEstimate& estimate, int threads) {
  const auto minutes = [](double seconds) {
    return std::max(1, static_cast<int>(std::lround(seconds / 60)));
  };
  const int least = minutes(estimate.least_seconds);
  const int most = std::max(least, minutes(estimate.most_seconds));
  std::string time = absl::StrCat("about ", least, " to ", most, " minutes");
  if (estimate.most_seconds < 60) time = "less than a minute";
  if (estimate.most_seconds >= 60 && least == most)
    time = absl::StrCat("about ", least, least == 1 ? " minute" : " minutes");
  return absl::StrCat(
      time, " and ", absl::StrFormat("%.1f GiB", estimate.memory_mib / 1024),
      " of memory on ", threads, threads == 1 ? " thread" : " threads");
}

std::string MemoryWarning(const RunEstimate& estimate, double available_mib) {
  if (estimate.memory_mib <= available_mib) return "";
  return absl::StrFormat(
      "this run is likely to need %.1f GiB of memory, and %.1f GiB are free: "
      "the system may end it; --structural-positives and --spectral-rank with "
      "smaller numbers, or --preset fast, need less",
      estimate.memory_mib / 1024, available_mib / 1024);
}

}  // namespace slice
