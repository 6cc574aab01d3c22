#include "server/graph/update_validation.h"

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/table/text_fields.h"
#include "server/grpc_status.h"
#include "server/limits.h"

namespace slice {
namespace {

constexpr char kField[] = "changes";

absl::Status RequireKey(int index, const std::string& part,
                        const v1::NodeRef& node) {
  if (node.has_key()) return absl::OkStatus();
  return InvalidField(absl::StrCat(kField, "[", index, "].", part),
                      "must name the node by its key");
}

// The log keeps the changes, and names may become ambiguous later.
absl::Status RequireKeys(const NamedChanges& changes) {
  for (int i = 0; i < changes.size(); ++i) {
    const v1::GraphChange& change = changes[i];
    if (change.has_remove_node()) {
      SLICE_RETURN_IF_ERROR(RequireKey(i, "remove_node", change.remove_node()));
    }
    if (!change.has_add_link() && !change.has_remove_link()) continue;
    const std::string part = change.has_add_link() ? "add_link" : "remove_link";
    const v1::LinkChange& link =
        change.has_add_link() ? change.add_link() : change.remove_link();
    SLICE_RETURN_IF_ERROR(RequireKey(i, part + ".source", link.source()));
    SLICE_RETURN_IF_ERROR(RequireKey(i, part + ".target", link.target()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ValidateUpdate(const NamedChanges& changes,
                            const std::string& writer, uint64_t sequence) {
  if (changes.empty()) {
    return InvalidField(kField, "must hold at least one change");
  }
  if (changes.size() > kMaxUpdateChanges) {
    return InvalidField(
        kField, absl::StrCat("holds ", changes.size(), " changes, at most ",
                             kMaxUpdateChanges, " are allowed"));
  }
  SLICE_RETURN_IF_ERROR(ValidateNamedChanges(changes, kField));
  SLICE_RETURN_IF_ERROR(RequireKeys(changes));
  if (writer.empty() == (sequence != 0)) {
    return InvalidField("sequence",
                        "is above 0 where there is a writer, and 0 elsewhere");
  }
  if (writer.empty()) return absl::OkStatus();
  const auto error = CheckIdentifier({writer}, "writer");
  return error ? InvalidField("writer", error->reason) : absl::OkStatus();
}

}  // namespace slice
