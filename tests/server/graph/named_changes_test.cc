#include "server/graph/named_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class NamedChangesTest : public ::testing::Test {
 protected:
  static void Fill(v1::LinkChange* link, const std::string& source,
                   const std::string& relation, const std::string& target) {
    link->mutable_source()->set_key(source);
    link->set_relation(relation);
    link->mutable_target()->set_key(target);
  }
  v1::LinkChange* Add(const std::string& source, const std::string& relation,
                      const std::string& target) {
    v1::LinkChange* link = changes_.Add()->mutable_add_link();
    Fill(link, source, relation, target);
    return link;
  }
  void Remove(const std::string& source, const std::string& relation,
              const std::string& target) {
    Fill(changes_.Add()->mutable_remove_link(), source, relation, target);
  }
  v1::NodeChange* Upsert(const std::string& key, const std::string& type = "") {
    v1::NodeChange* node = changes_.Add()->mutable_upsert_node();
    node->set_key(key);
    node->set_type(type);
    return node;
  }
  void RemoveNode(const std::string& key) {
    changes_.Add()->mutable_remove_node()->set_key(key);
  }

  absl::StatusOr<ChangedGraph> Apply(size_t most_arcs = 1000) {
    const absl::Status valid = ValidateNamedChanges(changes_, "changes");
    if (!valid.ok()) return valid;
    return ApplyNamedChanges(*base_, changes_, "changes",
                             {.graph_version = 7, .most_arcs = most_arcs});
  }
  void ExpectRefused(absl::StatusCode code, const std::string& message) {
    const absl::Status status = Apply().status();
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(message));
    changes_.Clear();
  }

  const std::shared_ptr<const GraphSnapshot> base_ = ToySnapshot();
  NamedChanges changes_;
};

TEST_F(NamedChangesTest, AppliesAllKindsAtOnce) {
  Add("newpkg", "depends", "libssl3");  // before the node it needs
  Remove("curl", "depends", "libcurl4");
  Upsert("newpkg", "package")->set_name("New package");
  RemoveNode("web:team");
  const auto changed = Apply();
  ASSERT_TRUE(changed.ok()) << changed.status();
  const GraphSnapshot& graph = *changed->graph;
  EXPECT_THAT(changed->without_effect, IsEmpty());
  EXPECT_EQ(graph.graph_version(), 7);
  const NodeId added = ToyNode(graph, "newpkg");
  EXPECT_EQ(graph.Name(added), "New package");
  EXPECT_EQ(graph.TypeName(graph.Type(added)), "package");
  EXPECT_TRUE(graph.HasLink(ToyLink(graph, "newpkg", "depends", "libssl3")));
  EXPECT_FALSE(graph.HasLink(ToyLink(graph, "curl", "depends", "libcurl4")));
  EXPECT_FALSE(graph.names().FindKey("web:team").has_value());
  // Nothing else changed, and the base did not.
  EXPECT_EQ(graph.link_count(), base_->link_count() + 1 - 1 - 2);
  EXPECT_TRUE(base_->HasLink(ToyLink(*base_, "curl", "depends", "libcurl4")));
  EXPECT_TRUE(base_->names().FindKey("web:team").has_value());
}

TEST_F(NamedChangesTest, SaysWhatChangedNothing) {
  Add("curl", "depends", "libssl3");      // is there
  Remove("curl", "suggests", "libssl3");  // is not
  Add("curl", "suggests", "libssl3");
  changes_.RemoveLast();
  Upsert("curl");
  Add("curl", "enhances", "libssl3");
  const auto changed = Apply();
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_THAT(changed->without_effect, ElementsAre(0, 1, 2));
  EXPECT_EQ(changed->graph->link_count(), base_->link_count() + 1);
}

TEST_F(NamedChangesTest, ChangesTheWeightOfALink) {
  Add("curl", "depends", "libssl3")->set_weight(2.5f);
  const auto changed = Apply();
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_THAT(changed->without_effect, IsEmpty());
  EXPECT_EQ(changed->graph->link_count(), base_->link_count());
  EXPECT_TRUE(changed->graph->has_weights());
}

TEST_F(NamedChangesTest, KeepsNameAndTypeThatAChangeDoesNotGive) {
  Upsert("libssl3")->set_name("Another name");
  const auto changed = Apply();
  ASSERT_TRUE(changed.ok()) << changed.status();
  const GraphSnapshot& graph = *changed->graph;
  const NodeId node = ToyNode(graph, "libssl3");
  EXPECT_EQ(graph.Name(node), "Another name");
  EXPECT_EQ(graph.TypeName(graph.Type(node)), "package");
}

TEST_F(NamedChangesTest, ARemovedNodeComesBackToItsPlace) {
  RemoveNode("curl");
  const auto removed = Apply();
  ASSERT_TRUE(removed.ok()) << removed.status();
  changes_.Clear();
  Upsert("curl");
  const auto back = ApplyNamedChanges(*removed->graph, changes_, "changes", {});
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_THAT(back->without_effect, IsEmpty());
  const GraphSnapshot& graph = *back->graph;
  EXPECT_EQ(ToyNode(graph, "curl"), ToyNode(*base_, "curl"));
  EXPECT_EQ(graph.node_count(), base_->node_count());
  EXPECT_EQ(graph.TypeName(graph.Type(ToyNode(graph, "curl"))), "package");
  EXPECT_TRUE(
      graph.Arcs(ToyNode(graph, "curl"), Direction::kOut).neighbors.empty());
}

TEST_F(NamedChangesTest, TakesATypeThatTheGraphLacks) {
  Upsert("python", "language");
  Upsert("ruby", "language");
  const auto changed = Apply();
  ASSERT_TRUE(changed.ok()) << changed.status();
  const GraphSnapshot& graph = *changed->graph;
  EXPECT_EQ(graph.node_type_count(), base_->node_type_count() + 1);
  EXPECT_EQ(graph.TypeName(graph.Type(ToyNode(graph, "ruby"))), "language");
}

TEST_F(NamedChangesTest, RefusesATypeBeyondTheLimit) {
  GraphChanges most;
  while (most.added_types.size() + base_->node_type_count() < 65534) {
    most.added_types.push_back(absl::StrCat("type-", most.added_types.size()));
  }
  const auto crowded = *base_->Apply(most, 1);
  Upsert("a", "last");
  Upsert("b", "last");
  Upsert("c", "type-65000");
  const auto full = ApplyNamedChanges(*crowded, changes_, "changes", {});
  ASSERT_TRUE(full.ok()) << full.status();
  const GraphSnapshot& graph = *full->graph;
  for (const auto& [key, type] : std::map<std::string, std::string>{
           {"a", "last"}, {"b", "last"}, {"c", "type-65000"}}) {
    EXPECT_EQ(graph.TypeName(graph.Type(ToyNode(graph, key))), type);
  }
  Upsert("d", "one too many");
  for (const auto* of : {crowded.get(), &graph}) {
    const absl::Status refused =
        ApplyNamedChanges(*of, changes_, "changes", {}).status();
    EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(refused.message(),
              "changes[3].upsert_node.type: 'one too many' is new, and there "
              "are 65535 node types already, as many as a graph may have; use "
              "one of these");
  }
}

TEST_F(NamedChangesTest, NamesTheChangeThatIsWrong) {
  using enum absl::StatusCode;
  Add("curl", "depends", "libssl3");
  changes_.Add();
  ExpectRefused(kInvalidArgument, "changes[1]: says no change");
  Add("", "depends", "libssl3");
  ExpectRefused(kInvalidArgument,
                "changes[0].add_link.source.key: must not be");
  changes_.Add()->mutable_remove_link()->set_relation("depends");
  ExpectRefused(kInvalidArgument, "changes[0].remove_link.source: is missing");
  Add("curl", "", "libssl3");
  ExpectRefused(kInvalidArgument, "changes[0].add_link.relation: must not be");
  Add("curl", "depends", std::string(1025, 'k'));
  ExpectRefused(kInvalidArgument, "changes[0].add_link.target.key: ");
  Upsert("a\x01z");
  ExpectRefused(kInvalidArgument, "changes[0].upsert_node.key: ");
  Add("curl", "depends", "libssl3")
      ->set_weight(std::numeric_limits<float>::infinity());
  ExpectRefused(kInvalidArgument, "changes[0].add_link.weight: inf is not");
  Add("curl", "depends", "libssl3")->set_weight(-1);
  ExpectRefused(kInvalidArgument, "changes[0].add_link.weight: -1 is not");
}

TEST_F(NamedChangesTest, SaysWhichTextIsWrong) {
  Upsert(std::string("a\0b", 3));
  ExpectRefused(absl::StatusCode::kInvalidArgument, "in the key \"");
  Upsert("a", "a\tb");
  ExpectRefused(absl::StatusCode::kInvalidArgument, "in the type \"");
  Add("curl", std::string(1025, 'a'), "openssl");
  ExpectRefused(absl::StatusCode::kInvalidArgument, "the relation \"");
}

TEST_F(NamedChangesTest, NamesWhatTheGraphLacks) {
  using enum absl::StatusCode;
  Add("curl", "depends", "libssl3");
  Add("crul", "depends", "libssl3");
  ExpectRefused(kNotFound, "changes[1].add_link.source: ");
  Add("crul", "depends", "libssl3");
  ExpectRefused(kNotFound, "'curl'");
  Add("curl", "dependz", "libssl3");
  ExpectRefused(kFailedPrecondition, "train a bundle that knows it");
  RemoveNode("nobody");
  ExpectRefused(kNotFound, "changes[0].remove_node: ");
  changes_.Add()->mutable_remove_node()->set_name("OpenSSL");
  ExpectRefused(kFailedPrecondition, "openssl:i386");
}

TEST_F(NamedChangesTest, RefusesChangesThatContradict) {
  using enum absl::StatusCode;
  Add("curl", "enhances", "libssl3");
  Remove("curl", "enhances", "libssl3");
  ExpectRefused(kInvalidArgument,
                "changes[1].remove_link: is changed by changes[0] as well");
  Add("curl", "depends", "libssl3");  // has no effect, and still contradicts
  Remove("curl", "depends", "libssl3");
  ExpectRefused(kInvalidArgument, "changes[1].remove_link: is changed by");
  Add("curl", "enhances", "libssl3");
  RemoveNode("libssl3");
  ExpectRefused(kInvalidArgument,
                "changes[0].add_link.target: 'libssl3' is removed by "
                "changes[1]");
  Upsert("curl");
  RemoveNode("curl");
  ExpectRefused(kInvalidArgument, "changes[1].remove_node: is changed by");
  Upsert("newpkg");
  Upsert("newpkg");
  ExpectRefused(kInvalidArgument, "changes[1].upsert_node.key: is changed by");
  RemoveNode("curl");
  RemoveNode("curl");
  ExpectRefused(kInvalidArgument, "changes[1].remove_node: is changed by");
}

// Nodes are copied in blocks of four. The arcs of the others in the block take
// memory, but nobody is refused because of a neighbour by number.
TEST_F(NamedChangesTest, CountsTheArcsThatAreCopied) {
  const auto arcs_of = [&](const std::set<NodeId>& nodes) {
    size_t arcs = 0;
    for (const NodeId node : nodes) {
      arcs += base_->Arcs(node, Direction::kOut).size() +
              base_->Arcs(node, Direction::kIn).size();
    }
    return arcs;
  };
  const std::set<NodeId> changing = {ToyNode(*base_, "curl"),
                                     ToyNode(*base_, "libssl3")};
  std::set<NodeId> copied;
  for (NodeId node = 0; node < base_->node_count(); ++node) {
    for (const NodeId end : changing)
      if (node / 4 == end / 4) copied.insert(node);
  }
  ASSERT_GT(arcs_of(copied), arcs_of(changing));
  Add("curl", "enhances", "libssl3");
  const auto changed = Apply(/*most_arcs=*/arcs_of(changing));
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_EQ(changed->copied_arcs, arcs_of(copied));
}

TEST_F(NamedChangesTest, BoundsTheArcsOfTheNodesThatChange) {
  // The links of libssl3 and of all its neighbours would be copied.
  RemoveNode("libssl3");
  EXPECT_TRUE(Apply().ok());
  const absl::Status refused = Apply(/*most_arcs=*/3).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(refused.message()),
              AllOf(HasSubstr("changes: the nodes that change have"),
                    HasSubstr("at most 3 are allowed")));
}

}  // namespace
}  // namespace slice
