#include "trainer/methods/walks/walk_method.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "common/clock.h"
#include "common/logging.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "trainer/methods/walks/walk_schemes.h"
#include "trainer/training_budget.h"

namespace slice {

std::vector<MethodParameter> WalkParameters(int walks_per_node) {
  const WalkTrainingOptions defaults;
  using P = MethodParameter;
  return {
      P::Whole("dim", defaults.dim, 1, 4096, "numbers per node"),
      P::Whole("walks_per_node", walks_per_node, 1, 10000,
               "walks from each node"),
      P::Whole("walk_length", 80, 2, 10000, "nodes of a walk"),
      P::Whole("window", defaults.window, 1, 100,
               "context nodes on either side"),
      P::Whole("negatives", defaults.negatives, 1, 100,
               "noise nodes per centre, which all its context nodes share"),
  };
}

MethodParameter WalkLearningRate() {
  return MethodParameter::Number("learning_rate",
                                 WalkTrainingOptions().learning_rate, 1e-9, 1,
                                 "falls linearly towards zero");
}

WalkTrainingOptions WalkTrainingOptionsOf(const MethodInput& input,
                                          const ParameterValues& parameters) {
  WalkTrainingOptions options;
  options.dim = parameters.Whole("dim");
  options.rounds = static_cast<uint64_t>(parameters.Whole("walks_per_node"));
  options.window = parameters.Whole("window");
  options.negatives = parameters.Whole("negatives");
  options.learning_rate = parameters.Number("learning_rate");
  options.threads = input.threads;
  options.seed = input.seed;
  options.budget = input.budget;
  return options;
}

double EstimateWalkMib(const MethodInput& input,
                       const ParameterValues& parameters) {
  return WalkTrainingMib(*input.snapshot, parameters.Whole("dim"));
}

double EstimateMetapathMib(const MethodInput& input,
                           const ParameterValues& parameters) {
  const double training = EstimateWalkMib(input, parameters);
  if (parameters.Word("metapaths") != "common") return training;
  return std::max(training, CommonWalkSchemesMib(*input.snapshot));
}

std::vector<MethodParameter> MetapathParameters() {
  using P = MethodParameter;
  return {
      P::Text(
          "metapaths", "common",
          "common: those of up to four steps with the most paths; or a list "
          "such as author-paper-author,author-paper-venue (of relations: "
          "likes/^likes)"),
      P::Whole("metapath_count", 8, 1, 1000, "number of common metapaths"),
  };
}

absl::StatusOr<std::vector<WalkScheme>> ChooseWalkSchemes(
    const MethodInput& input, const ParameterValues& parameters,
    const LabelledWalkGraph& graph) {
  constexpr int kMostSteps = 4;
  constexpr size_t kShown = 8;
  const std::string& given = parameters.Word("metapaths");
  std::vector<WalkScheme> schemes;
  if (given == "common") {
    schemes = CommonWalkSchemes(
        graph, kMostSteps,
        static_cast<size_t>(parameters.Whole("metapath_count")));
  } else {
    SLICE_ASSIGN_OR_RETURN(schemes,
                           ParseWalkSchemes(given, *input.snapshot, graph));
  }
  std::vector<std::string> names;
  for (const WalkScheme& scheme : schemes) {
    if (names.size() == kShown) break;
    names.push_back(FormatWalkScheme(scheme, *input.snapshot, graph.labels()));
  }
  const size_t more = schemes.size() - names.size();
  LogInfo("walks follow %s",
          absl::StrJoin(names, ", ") +
              (more > 0 ? absl::StrCat(" and ", more, " more") : ""));
  return schemes;
}

MethodSummary SummarizeWalks(const MethodInput& input,
                             std::span<const double> losses, bool cut_short) {
  MethodSummary summary;
  summary.epochs = summary.best_epoch = static_cast<int>(losses.size());
  for (size_t i = 0; i < losses.size(); ++i) {
    summary.loss.push_back({static_cast<double>(i + 1), losses[i]});
  }
  summary.stopped =
      cut_short ? SpentBudgetText(input.budget) : std::string("all walks done");
  return summary;
}

std::vector<MethodParameter> WalkEpochParameters(
    const WalkEpochDefaults& defaults) {
  using P = MethodParameter;
  return {
      P::Whole("epochs", defaults.epochs, 1, 100000,
               "walks from each start, at most"),
      P::Whole("batch", defaults.batch, 1, 1 << 20, "walks of a step"),
      P::Number("learning_rate", defaults.learning_rate, 1e-9, 10,
                "of Adagrad"),
      P::Whole("patience", 5, 0, 1000,
               "measurements of valid without an improvement; 0: no limit"),
      P::Whole("look_every", defaults.look_every, 1, 1000,
               "epochs from one measurement of valid to the next"),
  };
}

absl::StatusOr<MethodSummary> RunWalkEpochs(const MethodInput& input,
                                            const ParameterValues& parameters,
                                            absl::Duration budget,
                                            const std::string& title,
                                            EpochLearner& learner) {
  EpochLoopOptions loop;
  loop.epochs = parameters.Whole("epochs");
  loop.patience = parameters.Whole("patience");
  loop.look_every = parameters.Whole("look_every");
  loop.budget = budget;
  loop.title = "training " + title;
  return RunEpochs(loop, !input.valid.empty(), *Clock::Real(), learner);
}

absl::Status NoWalksError() {
  return absl::FailedPreconditionError(
      "the graph has no link between two nodes to walk over");
}

std::vector<uint32_t> NoiseTypes(const GraphSnapshot& snapshot) {
  std::vector<uint32_t> types(snapshot.node_count());
  for (NodeId node = 0; node < types.size(); ++node) {
    types[node] = snapshot.Type(node);
  }
  return types;
}

std::vector<float> RandomTable(size_t size, double bound, uint64_t seed) {
  Random random(seed);
  std::vector<float> table(size);
  for (float& value : table) {
    value = static_cast<float>((2 * random.Uniform() - 1) * bound);
  }
  return table;
}

}  // namespace slice
