// What a server did when it read its configuration again.
#ifndef SLICE_CLIENT_RELOAD_TYPES_H_
#define SLICE_CLIENT_RELOAD_TYPES_H_

#include <string>
#include <vector>

namespace slice {

struct ConfigReload {
  std::vector<std::string> applied;        // flags, and "identities"
  std::vector<std::string> needs_restart;  // flags whose values changed, too
};

}  // namespace slice

#endif  // SLICE_CLIENT_RELOAD_TYPES_H_
