#include "server/pipeline/version_waits.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "server/grpc_status.h"

namespace slice {
namespace {

constexpr absl::Duration kRetryDelay = absl::Milliseconds(200);

// What is held: a link that waits is not yet inside.
RequestedWork MemoryOf(const RequestedWork& work) {
  return {.bytes = work.bytes, .client = work.client};
}

}  // namespace

absl::Status VersionWaits::Add(const ServedModel& model,
                               const RequestedWork& work,
                               AwaitedVersions::Wait wait) {
  SLICE_RETURN_IF_ERROR(CheckCanCome(model));
  SLICE_RETURN_IF_ERROR(Hold(work));
  wait.cancelled = [this, cancelled = std::move(wait.cancelled)] {
    return ended_.load() || cancelled();
  };
  wait.ready = [this, held = MemoryOf(work),
                ready = std::move(wait.ready)](const absl::Status& status) {
    Release(held);
    ready(absl::IsCancelled(status) && ended_.load()
              ? absl::UnavailableError("the server is stopping")
              : status);
  };
  absl::Status added = model.WhenGraphHas(std::move(wait));
  if (!added.ok()) Release(work);
  return added;
}

absl::Status VersionWaits::CheckCanCome(const ServedModel& model) const {
  if (graph_changes_) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "min_graph_version: the graph stays at version ",
      model.Graph()->graph_version(),
      ", because this server takes no changes (--accept-updates, --feed)"));
}

absl::Status VersionWaits::Hold(const RequestedWork& work) {
  if (work.bytes == 0 || admission_->TryHold(MemoryOf(work))) {
    return absl::OkStatus();
  }
  metrics_->ItemsShed(ShedReason::kBytesFull, work.items);
  return WithRetryDelay(
      absl::ResourceExhaustedError(absl::StrCat(
          "the server has no room for ", work.bytes,
          " bytes that would wait for a version of the graph; ask later, or "
          "for less")),
      kRetryDelay);
}

void VersionWaits::Release(const RequestedWork& work) {
  if (work.bytes > 0) admission_->Release(MemoryOf(work));
}

}  // namespace slice
