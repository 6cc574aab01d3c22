#include "trainer/methods/messages/graph_training.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <utility>

#include "common/clock.h"
#include "common/freed_memory.h"
#include "common/status_macros.h"
#include "model/torch/torch_status.h"
#include "trainer/methods/messages/graph_learner.h"

namespace slice {

double GraphTrainingMib(const MethodInput& input,
                        const GraphTrainingOptions& options, bool has_scorer) {
  // Tables of vectors: the vectors, two moments of Adam, the gradient, the best
  // state, and the final vectors twice.
  constexpr double kTables = 7;
  constexpr double kBytesPerArc = 32;
  // Per score: the scores of both directions, and the tensors that the gradient
  // of the softmax keeps.
  constexpr double kTimesScores = 10;
  const double nodes = static_cast<double>(input.snapshot->node_count());
  const double vector = sizeof(float) * static_cast<double>(options.dim);
  const double states =
      options.BytesOfStep(nodes * vector * 4 * options.layers);
  const size_t links = input.snapshot->link_count();
  // The links and non-links of a step: of a scorer, the vectors of both ends
  // with what their gradient keeps; of a dot product, a few numbers.
  constexpr double kTimesVectors = 18, kBytesPerScored = 80;
  const double scored =
      options.LinksPerStep(input.snapshot->node_count(), links);
  const double scored_bytes =
      has_scorer ? scored * sizeof(float) * options.VectorDim() * kTimesVectors
                 : scored * kBytesPerScored;
  const double positives = scored / (1 + options.negatives);
  const double candidates = ChoosesByRank(*input.snapshot, options, has_scorer)
                                ? options.candidates
                                : 0;
  const double scores =
      positives * std::min(candidates, nodes) * sizeof(float) * kTimesScores;
  return (nodes * vector * kTables + states + scores + scored_bytes +
          2.0 * static_cast<double>(links) * kBytesPerArc) /
         (1 << 20);
}

absl::StatusOr<std::unique_ptr<const TrainedMethod>> TrainGraphNetwork(
    const MethodInput& input, const GraphTrainingOptions& options,
    const MakeNetwork& make) {
  using Result = absl::StatusOr<std::unique_ptr<const TrainedMethod>>;
  SLICE_ASSIGN_OR_RETURN(
      const auto sampler,
      NegativeSampler::Create(*input.snapshot, input.negatives));
  EpochLoopOptions loop;
  loop.epochs = options.epochs;
  loop.patience = options.patience;
  loop.budget = input.budget;
  loop.title = options.title;
  const FreedMemoryKeeper keeper;  // every step makes the same large arrays
  at::set_num_threads(input.threads);
  at::manual_seed(input.seed);
  return CatchTorchErrors([&]() -> Result {
    SLICE_ASSIGN_OR_RETURN(GraphNetwork network, make());
    if (ChoosesByRank(*input.snapshot, options, network.scorer != nullptr)) {
      loop.measure = "valid MRR";
    }
    GraphLearner learner(input, options, *sampler, std::move(network));
    SLICE_ASSIGN_OR_RETURN(
        MethodSummary summary,
        RunEpochs(loop, !input.valid.empty(), *Clock::Real(), learner));
    return learner.MakeMethod(std::move(summary));
  });
}

}  // namespace slice
