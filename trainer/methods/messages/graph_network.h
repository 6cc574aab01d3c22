// An encoder and a scorer. Together they score links.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_GRAPH_NETWORK_H_
#define SLICE_TRAINER_METHODS_MESSAGES_GRAPH_NETWORK_H_

#include <memory>

namespace slice {

class GraphEncoder;
class LinkScorer;

// The encoder makes the vectors of nodes. The scorer scores links from these
// vectors.
struct GraphNetwork {
  std::unique_ptr<GraphEncoder> encoder;
  std::shared_ptr<const LinkScorer> scorer;  // null: dot product of the ends
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_GRAPH_NETWORK_H_
