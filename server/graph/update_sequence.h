// Tells an update that a writer sends again from a new one, by the number that
// the writer gave it.
#ifndef SLICE_SERVER_GRAPH_UPDATE_SEQUENCE_H_
#define SLICE_SERVER_GRAPH_UPDATE_SEQUENCE_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graphstore/change_log.h"
#include "server/graph/graph_update.h"

namespace slice {

// Of what a writer sends under a number. `changes` are as before afterwards.
uint64_t RequestHash(NamedChanges& changes);

// FAILED_PRECONDITION for an update whose number is above `last` + 1, where
// `last` is the last number of its writer.
absl::Status CheckNoGap(const GraphUpdate& update, uint64_t last);

// Whether every replica refuses an update that one refuses with `status`. What
// a disk or the memory does is different everywhere.
bool IsSameEverywhere(const absl::Status& status);

// The answer to an update whose number came `before`. FAILED_PRECONDITION when
// other changes came under it, or when nothing is known of it any more.
absl::StatusOr<UpdateOutcome> AnswerRepeated(
    const GraphUpdate& update, uint64_t request_hash,
    const std::optional<LoggedUpdate>& before);

}  // namespace slice

#endif  // SLICE_SERVER_GRAPH_UPDATE_SEQUENCE_H_
