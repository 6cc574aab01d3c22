#include "trainer/methods/walks/aspects/aspect_start.h"

#include <cmath>
#include <utility>
#include <vector>

#include "common/random.h"
#include "common/status_macros.h"
#include "trainer/embedding/walk_training.h"
#include "trainer/methods/walks/walk_method.h"

namespace slice {
namespace {

// The deviation of the aspect vectors from the output vector of skip-gram, as a
// share of the latter's length.
constexpr double kSpread = 0.1;

AspectModel RandomAspects(size_t nodes, size_t dim, size_t aspects,
                          uint64_t seed) {
  AspectModel model;
  model.dim = dim;
  model.aspects = aspects;
  // As skip-gram starts.
  const double bound = 0.5 / static_cast<double>(dim);
  model.centres = RandomTable(nodes * dim, bound, CombineHash(seed, 32));
  model.values =
      RandomTable(nodes * aspects * dim, bound, CombineHash(seed, 33));
  return model;
}

AspectModel SpreadAspects(SkipGramVectors vectors, size_t dim, size_t aspects,
                          uint64_t seed) {
  Random random(seed);
  AspectModel model;
  model.dim = dim;
  model.aspects = aspects;
  model.centres = std::move(vectors.inputs);
  model.values.resize(model.centres.size() * aspects);
  for (size_t node = 0; node < model.node_count(); ++node) {
    const float* const output = &vectors.outputs[node * dim];
    double square = 0;
    for (size_t k = 0; k < dim; ++k) {
      square += static_cast<double>(output[k]) * output[k];
    }
    // A uniform number from [-bound, bound) has the deviation bound / sqrt(3).
    const double bound =
        kSpread * std::sqrt(3 * square / static_cast<double>(dim));
    for (size_t i = 0; i < aspects * dim; ++i) {
      model.values[node * aspects * dim + i] =
          output[i % dim] +
          static_cast<float>((2 * random.Uniform() - 1) * bound);
    }
  }
  return model;
}

}  // namespace

absl::StatusOr<AspectStart> StartAspects(const MethodInput& input,
                                         const ParameterValues& parameters,
                                         const AspectWalks& walks) {
  const auto dim = static_cast<size_t>(parameters.Whole("dim"));
  const auto aspects = static_cast<size_t>(parameters.Whole("aspects"));
  const size_t nodes = input.snapshot->node_count();
  const int warm_walks = parameters.Whole("warm_walks");
  if (warm_walks == 0) {
    return AspectStart{RandomAspects(nodes, dim, aspects, input.seed)};
  }
  WalkTrainingOptions options;
  options.dim = static_cast<int>(dim);
  options.rounds = static_cast<uint64_t>(warm_walks);
  options.window = parameters.Whole("window");
  options.seed = CombineHash(input.seed, 34);
  options.budget = input.budget / kWarmPart;
  options.title = "asp2vec: warm start";
  WalkTrainingSummary trained;
  SLICE_ASSIGN_OR_RETURN(
      SkipGramVectors vectors,
      TrainOnWalks(*walks.source, walks.starts, nodes, options, {}, trained));
  return AspectStart{SpreadAspects(std::move(vectors), dim, aspects,
                                   CombineHash(input.seed, 35)),
                     trained.cut_short};
}

}  // namespace slice
