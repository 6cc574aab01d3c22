#include "server/access/access_control.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/did_you_mean.h"

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

absl::Status AccessControl::CheckRole(Role role, std::string_view what,
                                      const ShownCredentials& shown) const {
  const absl::StatusOr<Caller> caller = Identify(shown);
  absl::Status status = caller.ok()
                            ? AccessPolicy::CheckRole(*caller, role, what)
                            : caller.status();
  if (!status.ok()) {
    ++(absl::IsUnauthenticated(status) ? unauthenticated_ : denied_);
    log_->Refused(what, caller.ok() ? caller->name : "", shown.peer, status);
  }
  return status;
}

absl::Status AccessControl::Check(std::string_view method,
                                  const ShownCredentials& shown) const {
  const std::optional<MethodRule> rule = RuleOf(method);
  if (!rule.has_value()) {
    return absl::UnimplementedError(
        absl::StrCat("there is no method ", Quoted(method)));
  }
  // Callers may have lost their credentials, but health needs none.
  if (rule->everyone) return absl::OkStatus();
  return CheckRole(rule->role, method.substr(1), shown);
}

}  // namespace slice
