// What identities may do.
#ifndef SLICE_SERVER_ACCESS_ROLE_H_
#define SLICE_SERVER_ACCESS_ROLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace slice {

enum class Role : uint8_t {
  kPredict,  // score and explain links, read what the model is
  kExplore,  // names, neighbours and recommendations
  kUpdate,   // change the graph
  kAdmin,    // change and watch the server
  kMetrics,  // read the metrics
};
inline constexpr int kRoleCount = 5;

std::string_view RoleName(Role role);
// INVALID_ARGUMENT, with the names of all roles, for another name.
absl::StatusOr<Role> ParseRole(std::string_view name);
std::vector<std::string> RoleNames();

// A set of roles. A value.
class RoleSet {
 public:
  RoleSet() = default;
  static RoleSet All();

  void Add(Role role) { bits_ |= Bit(role); }
  bool Has(Role role) const { return (bits_ & Bit(role)) != 0; }

  bool operator==(const RoleSet&) const = default;

 private:
  static uint8_t Bit(Role role) {
    return static_cast<uint8_t>(1 << static_cast<int>(role));
  }
  uint8_t bits_ = 0;
};

// The roles of names with commas between them. An empty text is no role.
absl::StatusOr<RoleSet> ParseRoles(std::string_view names);

// What a method of a service asks of its caller.
struct MethodRule {
  bool everyone = false;  // even without any role
  Role role = Role::kAdmin;
};

// The rule of a method ("/package.Service/Name"). Nobody may call a method
// without a rule.
std::optional<MethodRule> RuleOf(std::string_view method);

}  // namespace slice

#endif  // SLICE_SERVER_ACCESS_ROLE_H_
