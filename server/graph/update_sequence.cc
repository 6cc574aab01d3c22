#include "server/graph/update_sequence.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "common/did_you_mean.h"
#include "common/random.h"
#include "slice/v1/graph_update.pb.h"

namespace slice {
namespace {

absl::Status WrongSequence(const GraphUpdate& update, const std::string& why) {
  return absl::FailedPreconditionError(
      absl::StrCat("sequence: ", update.sequence, " of the writer ",
                   Quoted(update.writer), " ", why));
}

}  // namespace

uint64_t RequestHash(NamedChanges& changes) {
  v1::ApplyUpdatesRequest request;
  request.mutable_changes()->Swap(&changes);
  const uint64_t hash = HashBytes(request.SerializeAsString());
  request.mutable_changes()->Swap(&changes);
  return hash;
}

absl::Status CheckNoGap(const GraphUpdate& update, uint64_t last) {
  if (update.sequence <= last + 1) return absl::OkStatus();
  return WrongSequence(
      update, absl::StrCat("does not follow ", last, ", its last one; send ",
                           last + 1, " first"));
}

bool IsSameEverywhere(const absl::Status& status) {
  return absl::IsNotFound(status) || absl::IsFailedPrecondition(status) ||
         absl::IsInvalidArgument(status);
}

absl::StatusOr<UpdateOutcome> AnswerRepeated(
    const GraphUpdate& update, uint64_t request_hash,
    const std::optional<LoggedUpdate>& before) {
  if (!before.has_value())
    return WrongSequence(update, "is older than what the log holds");
  if (before->request_hash != request_hash) {
    return WrongSequence(
        update,
        absl::StrCat("was used for other changes, version ", before->version,
                     "; give each writer a name of its own"));
  }
  UpdateOutcome outcome;
  outcome.graph_version = before->version;
  outcome.repeated = true;
  return outcome;
}

}  // namespace slice
