#include "server/graph/touched_parts.h"

#include <gtest/gtest.h>

#include <string>

namespace slice {
namespace {

v1::GraphChange Link(const std::string& source, const std::string& target,
                     bool adds = true) {
  v1::GraphChange change;
  v1::LinkChange* const link =
      adds ? change.mutable_add_link() : change.mutable_remove_link();
  link->mutable_source()->set_key(source);
  link->set_relation("r");
  link->mutable_target()->set_key(target);
  return change;
}
v1::GraphChange Upsert(const std::string& key) {
  v1::GraphChange change;
  change.mutable_upsert_node()->set_key(key);
  return change;
}
v1::GraphChange Remove(const std::string& key) {
  v1::GraphChange change;
  change.mutable_remove_node()->set_key(key);
  return change;
}

// Whether the second change may be applied together with the first.
bool Admits(const v1::GraphChange& first, const v1::GraphChange& second) {
  NamedChanges before, after;
  *before.Add() = first;
  *after.Add() = second;
  TouchedParts touched;
  EXPECT_TRUE(touched.Admits(before));
  touched.Add(before);
  return touched.Admits(after);
}

TEST(TouchedPartsTest, AdmitWhatHasNoOrder) {
  EXPECT_TRUE(Admits(Link("a", "b"), Link("b", "a")));
  EXPECT_TRUE(Admits(Link("a", "b"), Link("a", "c", false)));
  EXPECT_TRUE(Admits(Upsert("a"), Link("a", "b")));
  EXPECT_TRUE(Admits(Upsert("a"), Upsert("b")));
  EXPECT_TRUE(Admits(Remove("a"), Link("b", "c")));
  EXPECT_TRUE(Admits(Remove("a"), Remove("b")));
}

TEST(TouchedPartsTest, RefuseWhatContradicts) {
  EXPECT_FALSE(Admits(Link("a", "b"), Link("a", "b")));
  EXPECT_FALSE(Admits(Link("a", "b"), Link("a", "b", false)));
  EXPECT_FALSE(Admits(Link("a", "b"), Remove("b")));
  EXPECT_FALSE(Admits(Remove("b"), Link("a", "b")));
  EXPECT_FALSE(Admits(Remove("a"), Upsert("a")));
  EXPECT_FALSE(Admits(Upsert("a"), Remove("a")));
  EXPECT_FALSE(Admits(Upsert("a"), Upsert("a")));
  EXPECT_FALSE(Admits(Remove("a"), Remove("a")));
}

}  // namespace
}  // namespace slice
