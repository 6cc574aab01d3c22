// The sizes and parts of a network.
#ifndef SLICE_MODEL_NETWORK_OPTIONS_H_
#define SLICE_MODEL_NETWORK_OPTIONS_H_

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace slice {

// How a score is computed from the contextual embeddings.
//   kPair: a perceptron over [h_u, h_v, h_u * h_v, mean of the tokens,
//          relation], plus the structural logit of the pair features
//          (docs/model.md, "The network"). h_u and h_v are the contextual
//          embeddings of the two ends.
//   kDot:  the dot product of the projected readouts of the two ends (paper,
//          section 3.4), plus the structural logit. The readout of a token is
//          taken from its embeddings in one or several layers.
enum class ScoreHead { kPair, kDot };

// Which layers the readout of kDot takes, and whether it concatenates or sums
// them: "last", "last4_cat", "last4_sum" or "all_cat", as SLiCE's program names
// them. With fewer than four layers last4_cat and last4_sum read all layers.
enum class LayerReadout {
  kLast,
  kLastFourConcatenated,
  kLastFourSummed,
  kAllConcatenated
};
// How kDot projects the readout before it multiplies: "none", "linear" or
// "ffn".
enum class Projection { kNone, kLinear, kFeedForward };
// How a relation acts on a neighbour in the graph convolution before the
// attention layers: "none", "sub", "mult" or "circ_conv"
// (model/torch/relation_gcn.h).
enum class Composition { kNone, kSub, kMult, kCircConv };

// These parse the names above; the score heads are named "pair" and "dot".
// INVALID_ARGUMENT for another name, listing the known ones.
absl::StatusOr<ScoreHead> ParseScoreHead(std::string_view name);
absl::StatusOr<LayerReadout> ParseLayerReadout(std::string_view name);
absl::StatusOr<Projection> ParseProjection(std::string_view name);
absl::StatusOr<Composition> ParseComposition(std::string_view name);

struct NetworkOptions {
  int relation_count = 0;
  int embedding_dim = 128;
  int hidden_dim = 64;  // d
  int layers = 1;       // contextual translation layers, 0 to 8
  int heads = 4;        // attention heads
  int head_dim = 16;    // d_k
  int feed_forward_dim = 128;
  bool pre_norm = true;  // layer norm before each block; else after it
  ScoreHead head = ScoreHead::kPair;
  LayerReadout readout = LayerReadout::kAllConcatenated;  // of kDot
  Projection projection = Projection::kLinear;            // of kDot
  Composition composition = Composition::kNone;
  int gcn_layers = 2;       // graph convolutions, if there is a composition
  int pair_features = 0;    // Fp; 0 = no structural logit
  int structural_dim = 96;  // width of the structural MLP
  int relation_dim = 16;    // of the relation embeddings that perceptrons read
  double dropout = 0.1;
  // Whether a token is made of the embedding of its node alone, as in the
  // paper. Then nothing else changes a token: not its kind, role or features,
  // and no relation (its own, the queried one, or those of edges).
  bool plain_tokens = false;

  // INVALID_ARGUMENT when a field is out of its bounds; the error names the
  // field and the bounds.
  absl::Status Validate() const;
};

// How many layers the readout takes, counted from the last one. At least 1: a
// network without layers has one output to read, the token embeddings.
int LayersRead(const NetworkOptions& options);

// The options of a preset: "default", or "paper" (4 layers, 4 heads of 64,
// d 128, feed-forward 512; paper, section 3.6). INVALID_ARGUMENT for another
// name.
absl::StatusOr<NetworkOptions> NetworkPreset(std::string_view name);

}  // namespace slice

#endif  // SLICE_MODEL_NETWORK_OPTIONS_H_
