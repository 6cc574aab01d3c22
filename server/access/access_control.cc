#include "server/access/access_control.h"

#include <utility>

namespace slice {

AccessControl::AccessControl(AccessPolicy policy, CallLog* log,
                             const Clock* clock)
    : log_(log),
      clock_(clock),
      policy_(std::make_shared<const AccessPolicy>(std::move(policy))) {}

void AccessControl::Replace(AccessPolicy policy) {
  auto next = std::make_shared<const AccessPolicy>(std::move(policy));
  MutexLock lock(&mutex_);
  policy_ = std::move(next);
}

std::shared_ptr<const AccessPolicy> AccessControl::policy() const {
  MutexLock lock(&mutex_);
  return policy_;
}

absl::StatusOr<Caller> AccessControl::Identify(
    const ShownCredentials& shown) const {
  return policy()->Identify(shown, clock_->Now());
}

absl::Status AccessControl::Check(std::string_view method,
                                  const ShownCredentials& shown) const {
  // Callers may have lost their credentials, but health needs none.
  const std::optional<MethodRule> rule = RuleOf(method);
  if (rule.has_value() && rule->everyone) return absl::OkStatus();
  const absl::StatusOr<Caller> caller = Identify(shown);
  absl::Status status = caller.ok() ? AccessPolicy::CheckMethod(*caller, method)
                                    : caller.status();
  if (!status.ok() && rule.has_value()) {
    log_->Refused(method, caller.ok() ? caller->name : "", status);
  }
  return status;
}

}  // namespace slice
