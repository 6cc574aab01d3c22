// How networks of message passing learn to tell links from other pairs.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_GRAPH_TRAINING_H_
#define SLICE_TRAINER_METHODS_MESSAGES_GRAPH_TRAINING_H_

#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "trainer/methods/link_method.h"
#include "trainer/methods/messages/graph_network.h"
#include "trainer/methods/messages/graph_options.h"

namespace slice {

// About how much memory a training takes beside the graph, in MiB: a learned
// vector per node with what Adam keeps of it, the arcs, the states of all
// layers for a step's nodes, and the scores of a step's candidates.
double GraphTrainingMib(const MethodInput& input,
                        const ParameterValues& parameters);

using MakeNetwork = std::function<absl::StatusOr<GraphNetwork>()>;

// Trains the network that `make` makes, and a learned vector per node as its
// input, by cross-entropy on train links, a part of which is scored in each
// step while the others carry the messages. Errors as TrainMethod's.
absl::StatusOr<std::unique_ptr<const TrainedMethod>> TrainGraphNetwork(
    const MethodInput& input, const GraphTrainingOptions& options,
    const MakeNetwork& make);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_GRAPH_TRAINING_H_
