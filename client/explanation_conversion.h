// Converts what a server says of nodes and explanations.
#ifndef SLICE_CLIENT_EXPLANATION_CONVERSION_H_
#define SLICE_CLIENT_EXPLANATION_CONVERSION_H_

#include "absl/status/statusor.h"
#include "client/explanation_types.h"
#include "slice/v1/graph.pb.h"
#include "slice/v1/link_prediction.pb.h"

namespace slice {

// kBoth for a direction that this client does not know.
ArcDirection FromProto(v1::Direction direction);
NodeInfo FromProto(const v1::Node& node);

// Returns INTERNAL when a position is outside the tokens, or when the number of
// attention weights is not layers * heads * tokens * tokens.
absl::StatusOr<LinkExplanation> FromProto(const v1::Explanation& explanation);

}  // namespace slice

#endif  // SLICE_CLIENT_EXPLANATION_CONVERSION_H_
