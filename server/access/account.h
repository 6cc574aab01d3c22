// Who is charged for a call.
#ifndef SLICE_SERVER_ACCESS_ACCOUNT_H_
#define SLICE_SERVER_ACCESS_ACCOUNT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "server/access/access_policy.h"

namespace slice {

struct Account {
  // Of the identity, of the subject that a proxy passes on, or of the host of a
  // caller that showed nothing.
  uint64_t id = 0;
  // Null for a caller that showed nothing; of a subject, as Caller::identity.
  std::shared_ptr<const Identity> identity = nullptr;

  // Of the identity, of the proxy of a subject without one, or "anonymous".
  const std::string& name() const {
    static const auto* const kAnonymous = new std::string("anonymous");
    return identity == nullptr ? *kAnonymous : identity->name;
  }
};

}  // namespace slice

#endif  // SLICE_SERVER_ACCESS_ACCOUNT_H_
