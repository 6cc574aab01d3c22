#include "server/access/access_control.h"

#include <utility>

#include "common/status_macros.h"

namespace slice {

AccessControl::AccessControl(AccessPolicy policy, const Clock* clock)
    : clock_(clock),
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
  SLICE_ASSIGN_OR_RETURN(const Caller caller, Identify(shown));
  return AccessPolicy::CheckMethod(caller, method);
}

}  // namespace slice
