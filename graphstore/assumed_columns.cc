#include "graphstore/assumed_columns.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "common/table/first_column.h"
#include "common/table/header_recognition.h"

namespace slice {
namespace {

// How many nodes are this end of a link, or `most` if there are more.
size_t CountEnds(std::span<const Link> links, NodeId Link::*end, size_t most) {
  absl::flat_hash_set<NodeId> ends;
  for (const Link& link : links) {
    ends.insert(link.*end);
    if (ends.size() >= most) break;
  }
  return ends.size();
}

size_t CountRelations(std::span<const Link> links) {
  absl::flat_hash_set<RelationId> relations;
  for (const Link& link : links) relations.insert(link.relation);
  return relations.size();
}

}  // namespace

absl::Status CheckAssumedColumns(const std::string& name,
                                 std::span<const Link> links) {
  if (links.size() < kManyRows) return absl::OkStatus();
  const size_t relations = CountRelations(links);
  constexpr struct {
    NodeId Link::*end;
    const char* column;
    const char* columns;  // if this end is the relation
  } kEnds[] = {{&Link::source, "second", "source,relation,target"},
               {&Link::target, "third", "source,target,relation"}};
  for (const auto& [end, column, columns] : kEnds) {
    const size_t most = relations / kRelationRatio + 1;
    const size_t count = CountEnds(links, end, most);
    if (count == most) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        name, ": the first column has ", relations, " values and the ", column,
        " one has ", count,
        ", so the relation does not seem to come first. Give --columns ",
        columns, ", or --columns relation,source,target if it does"));
  }
  return absl::OkStatus();
}

}  // namespace slice
