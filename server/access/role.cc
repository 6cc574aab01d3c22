#include "server/access/role.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/did_you_mean.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr std::string_view kRoleNames[kRoleCount] = {
    "predict", "explore", "update", "admin", "metrics"};

struct NamedRule {
  std::string_view method;
  MethodRule rule;
};
constexpr MethodRule kEveryone = {.everyone = true};
// Health tells only whether the server serves, and balancers ask without
// credentials.
constexpr NamedRule kRules[] = {
    {"/slice.v1.LinkPredictionService/PredictLinks", {.role = Role::kPredict}},
    {"/slice.v1.LinkPredictionService/StreamPredictLinks",
     {.role = Role::kPredict}},
    {"/slice.v1.LinkPredictionService/GetModelInfo", {.role = Role::kPredict}},
    {"/slice.v1.LinkPredictionService/ListRelations", {.role = Role::kPredict}},
    {"/slice.v1.LinkPredictionService/FindNodes", {.role = Role::kExplore}},
    {"/slice.v1.LinkPredictionService/RecommendLinks",
     {.role = Role::kExplore}},
    {"/slice.v1.GraphService/GetNeighbors", {.role = Role::kExplore}},
    {"/slice.v1.GraphUpdateService/ApplyUpdates", {.role = Role::kUpdate}},
    {"/slice.v1.GraphUpdateService/StreamUpdates", {.role = Role::kUpdate}},
    {"/slice.v1.GraphUpdateService/GetGraphState", {.role = Role::kExplore}},
    {"/slice.v1.AdminService/GetQueueState", {.role = Role::kAdmin}},
    {"/slice.v1.AdminService/ReloadConfig", {.role = Role::kAdmin}},
    {"/slice.v1.AdminService/ListModels", {.role = Role::kAdmin}},
    {"/slice.v1.AdminService/LoadModel", {.role = Role::kAdmin}},
    {"/slice.v1.AdminService/PromoteModel", {.role = Role::kAdmin}},
    {"/slice.v1.AdminService/UnloadModel", {.role = Role::kAdmin}},
    {"/slice.v1.AdminService/SetDefault", {.role = Role::kAdmin}},
    {"/slice.v1.AdminService/RollBack", {.role = Role::kAdmin}},
    {"/slice.v1.AdminService/CreateCheckpoint", {.role = Role::kAdmin}},
    {"/grpc.health.v1.Health/Check", kEveryone},
    {"/grpc.health.v1.Health/List", kEveryone},
    {"/grpc.health.v1.Health/Watch", kEveryone},
    {"/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
     {.role = Role::kExplore}},
};

}  // namespace

std::string_view RoleName(Role role) {
  return kRoleNames[static_cast<int>(role)];
}

absl::StatusOr<Role> ParseRole(std::string_view name) {
  const auto* const found =
      std::find(std::begin(kRoleNames), std::end(kRoleNames), name);
  if (found != std::end(kRoleNames)) {
    return static_cast<Role>(found - std::begin(kRoleNames));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "there is no role ", Quoted(name), Alternatives(name, RoleNames())));
}

std::vector<std::string> RoleNames() {
  return {std::begin(kRoleNames), std::end(kRoleNames)};
}

RoleSet RoleSet::All() {
  RoleSet all;
  for (int role = 0; role < kRoleCount; ++role) {
    all.Add(static_cast<Role>(role));
  }
  return all;
}

absl::StatusOr<RoleSet> ParseRoles(std::string_view names) {
  RoleSet roles;
  for (const absl::string_view name :
       absl::StrSplit(absl::string_view(names.data(), names.size()), ',',
                      absl::SkipWhitespace())) {
    const absl::string_view bare = absl::StripAsciiWhitespace(name);
    SLICE_ASSIGN_OR_RETURN(const Role role,
                           ParseRole({bare.data(), bare.size()}));
    roles.Add(role);
  }
  return roles;
}

std::optional<MethodRule> RuleOf(std::string_view method) {
  for (const NamedRule& named : kRules) {
    if (named.method == method) return named.rule;
  }
  return std::nullopt;
}

}  // namespace slice
