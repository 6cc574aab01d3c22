#include "tests/testing/two_kinds_graph.h"

#include "absl/strings/str_cat.h"
#include "tests/testing/random_multigraph.h"

namespace slice {

GraphData TwoKindsData() {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"knows", "born_in", "part_of"};
  const auto add_node = [&](const std::string& key) {
    data.catalogue.nodes.push_back({key, key, 0});
  };
  for (NodeId i = 0; i < kPeople; ++i) add_node(absl::StrCat("person", i));
  for (NodeId i = 0; i < kPlaces; ++i) add_node(absl::StrCat("place", i));
  add_node("lonely");
  for (NodeId i = 0; i < kPeople; ++i) {
    data.links.push_back({i, 0, (i + 1) % kPeople});
    data.links.push_back({i, 1, kPeople + i % kPlaces});
  }
  for (NodeId i = 0; i < kPlaces; ++i) {
    data.links.push_back({kPeople + i, 2, kPeople + (i + 1) % kPlaces});
  }
  return data;
}

std::shared_ptr<const GraphSnapshot> TwoKindsGraph() {
  return BuildSnapshotOrDie(TwoKindsData());
}

}  // namespace slice
