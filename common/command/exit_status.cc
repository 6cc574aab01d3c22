#include "common/command/exit_status.h"

#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace slice {
namespace {

constexpr const char kPayload[] = "slice/exit_status";

}  // namespace

absl::Status WithExitStatus(absl::Status error, int exit_status) {
  error.SetPayload(kPayload, absl::Cord(absl::StrCat(exit_status)));
  return error;
}

int ExitStatusOf(const absl::Status& status) {
  if (status.ok()) return kExitOk;
  int own = 0;
  if (const auto payload = status.GetPayload(kPayload);
      payload.has_value() && absl::SimpleAtoi(std::string(*payload), &own)) {
    return own;
  }
  return absl::IsInvalidArgument(status) || absl::IsFailedPrecondition(status)
             ? kExitUsage
             : kExitFailure;
}

}  // namespace slice
