#include "trainer/methods/messages/gat.h"

#include "absl/strings/str_cat.h"
#include "trainer/methods/link_scorer.h"
#include "trainer/methods/messages/gat_encoder.h"
#include "trainer/methods/messages/graph_training.h"

namespace slice {
namespace {

// Adds to the shared estimate what the heads beyond the first one take in the
// last layer: their outputs and the gradients of these.
double EstimateMib(const MethodInput& input,
                   const ParameterValues& parameters) {
  const GraphTrainingOptions options = ReadGraphTraining(parameters);
  const double outputs = 2.0 * sizeof(float) * options.dim *
                         (parameters.Whole("heads") - 1) *
                         static_cast<double>(input.snapshot->node_count());
  return GraphTrainingMib(input, options, /*has_scorer=*/false) +
         options.BytesOfStep(outputs) / (1 << 20);
}

absl::StatusOr<std::unique_ptr<const TrainedMethod>> Train(
    const MethodInput& input, const ParameterValues& parameters) {
  GraphTrainingOptions options = ReadGraphTraining(parameters);
  options.title = "GAT";
  const int heads = parameters.Whole("heads");
  options.last_heads = heads;
  if (options.layers > 1 && options.dim % heads != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("dim=", options.dim, " is no multiple of heads=", heads,
                     "; choose for example dim=", heads * 8));
  }
  return TrainGraphNetwork(input, options, [&] {
    return GraphNetwork{std::make_unique<GatEncoder>(ShapeOf(options), heads),
                        nullptr};
  });
}

}  // namespace

MethodInfo GatMethod() {
  MethodInfo info;
  info.name = "gat";
  info.title = "GAT";
  info.description =
      "graph convolutions with attention to neighbours; ignores relations; dot "
      "product";
  info.paper = "Velickovic et al., ICLR 2018";
  info.parameters = GraphTrainingParameters(DotProductDefaults());
  info.parameters.push_back(MethodParameter::Whole(
      "heads", 4, 1, 64,
      "heads of attention; the last layer takes their mean"));
  info.dot_product = kAlways;
  info.train = Train;
  info.memory = EstimateMib;
  return info;
}

}  // namespace slice
