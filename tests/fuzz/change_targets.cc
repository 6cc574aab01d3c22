#include "tests/fuzz/change_targets.h"

#include <memory>
#include <numeric>

#include "client/edit_file.h"
#include "graphstore/change_record.h"
#include "server/graph/named_changes.h"
#include "slice/v1/graph.pb.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/row_difference.h"

namespace slice {
namespace {

const GraphSnapshot& SmallGraph() {
  static const std::shared_ptr<const GraphSnapshot> graph =
      BuildSnapshotOrDie(RandomMultigraph({.nodes = 20, .links = 60}, 1));
  return *graph;
}

void ReadChangeRecord(std::string_view bytes) {
  GraphChanges changes;
  if (!DecodeChanges(bytes, &changes)) return;
  GraphChanges again;
  Require(DecodeChanges(EncodeChanges(changes), &again) &&
              EncodeChanges(again) == EncodeChanges(changes),
          "changes are read as written");
  const auto graph = SmallGraph().Apply(changes, 1);
  if (!graph.ok()) return;
  Require(RowDifference(**graph, *BuildSnapshotOrDie((*graph)->Data())).empty(),
          "a changed graph is that graph built anew");
}

void ReadChangeRequest(std::string_view bytes) {
  v1::WhatIf request;
  if (!request.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
      !ValidateNamedChanges(request.changes(), "changes").ok()) {
    return;
  }
  const auto changed =
      ApplyNamedChanges(SmallGraph(), request.changes(), "changes", {});
  if (!changed.ok()) return;
  const auto again = SmallGraph().Apply(changed->resolved, 0);
  Require(again.ok() && GraphDigest((*again)->Data()) ==
                            GraphDigest(changed->graph->Data()),
          "what changes come to is the same changes");
}

void ReadChangeFile(std::string_view bytes) {
  const auto file = ParseEdits("changes", bytes);
  if (!file.ok()) return;
  Require(file->lines.size() == file->edits.size(), "each change has a line");
  const std::vector<size_t> batches = BatchSizes(file->edits, 3);
  Require(std::accumulate(batches.begin(), batches.end(), size_t{0}) ==
              file->edits.size(),
          "each change is in one batch");
}

GraphChanges SomeChanges() {
  const NodeRecord renamed = {"n3", "Name", 1};
  return {.added_types = {"new type"},
          .added_nodes = {{"added", "Added", 3}},
          .set_nodes = {{3, renamed}},
          .removed_nodes = {5},
          .added_links = {{{1, 2, 20}, 1.5f}, {{7, 0, 7}, 1}},
          .removed_links = {{0, 0, 1}}};
}

std::string SomeRequest() {
  v1::WhatIf request;
  v1::LinkChange* added = request.add_changes()->mutable_add_link();
  added->mutable_source()->set_key("n1");
  added->set_relation(SmallGraph().relations()[0]);
  added->mutable_target()->set_key("new");
  v1::LinkChange* removed = request.add_changes()->mutable_remove_link();
  *removed = *added;
  removed->mutable_target()->set_key("n2");
  request.add_changes()->mutable_upsert_node()->set_key("new");
  request.add_changes()->mutable_remove_node()->set_key("n5");
  return request.SerializeAsString();
}

}  // namespace

std::vector<FuzzTarget> ChangeTargets() {
  return {
      {"change_record", {EncodeChanges(SomeChanges())}, ReadChangeRecord},
      {"change_request", {SomeRequest()}, ReadChangeRequest},
      {"change_file",
       {"+\ta\tlikes\tb\t2\n-\ta\tlikes\tb\n+node\tc\tx\tName\n-node\tc\n"},
       ReadChangeFile},
  };
}

}  // namespace slice
