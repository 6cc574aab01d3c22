#include "context/link_flags.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "graphstore/schema_fit.h"

namespace slice {
namespace {

constexpr size_t kNamedTypes = 3;

bool IsCold(const GraphSnapshot& snapshot, NodeId node) {
  return snapshot.Arcs(node, Direction::kOut).size() == 0 &&
         snapshot.Arcs(node, Direction::kIn).size() == 0;
}

const std::string& LabelOf(const GraphSnapshot& snapshot, NodeId node) {
  const std::string& name = snapshot.Name(node);
  return name.empty() ? snapshot.Key(node) : name;
}

// "'package', 'team'", with "and others" when there are more.
std::string SomeTypes(const GraphSnapshot& snapshot,
                      std::span<const NodeTypeId> types) {
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min(types.size(), kNamedTypes); ++i) {
    names.push_back(absl::StrCat("'", snapshot.TypeName(types[i]), "'"));
  }
  return absl::StrCat(absl::StrJoin(names, ", "),
                      types.size() > kNamedTypes ? " and others" : "");
}

// "source of depends"
std::string PlaceName(const GraphSnapshot& snapshot, GraphSlot slot) {
  return absl::StrCat(slot.place == Direction::kOut ? "source" : "target",
                      " of ", snapshot.RelationName(slot.relation));
}

std::string OffSchemaNote(const GraphSnapshot& snapshot,
                          const RelationSchema& schema, NodeId node,
                          GraphSlot place) {
  if (const auto slot = ShutOutBy(snapshot, schema, node, place)) {
    const std::string own = PlaceName(snapshot, *slot);
    return absl::StrCat(LabelOf(snapshot, node), " is a ", own,
                        "; in the graph no ", own, " is a ",
                        PlaceName(snapshot, place));
  }
  const bool source = place.place == Direction::kOut;
  return absl::StrCat(
      LabelOf(snapshot, node), " has the type '",
      snapshot.TypeName(snapshot.Type(node)), "'; ",
      source ? "sources" : "targets", " of ",
      snapshot.RelationName(place.relation), " have ",
      SomeTypes(snapshot, schema.types(place.relation, place.place)));
}

// Why the score of a link that the graph has is no evidence.
std::string ExistsNote(OwnPairLinks own) {
  const char* seen =
      own == OwnPairLinks::kHide
          ? "all links between its ends were hidden while it was scored"
      : own == OwnPairLinks::kReveal
          ? "it was hidden while it was scored, but other links between its "
            "ends were not"
          : "it was not hidden while it was scored";
  return absl::StrCat(
      "the graph has this link; ", seen,
      "; if the model learned from it, a high score may be too sure");
}

}  // namespace

LinkFlags FlagsOf(const GraphSnapshot& snapshot, const RelationSchema& schema,
                  const Link& link) {
  LinkFlags flags;
  flags.exists = snapshot.HasLink(link);
  flags.self = link.source == link.target;
  flags.off_schema_source = !FitsSchema(snapshot, schema, link.source,
                                        {link.relation, Direction::kOut});
  flags.off_schema_target = !FitsSchema(snapshot, schema, link.target,
                                        {link.relation, Direction::kIn});
  flags.cold_source = IsCold(snapshot, link.source);
  flags.cold_target = IsCold(snapshot, link.target);
  return flags;
}

std::vector<std::string> FlagNotes(const GraphSnapshot& snapshot,
                                   const RelationSchema& schema,
                                   const Link& link, const LinkFlags& flags,
                                   OwnPairLinks own) {
  std::vector<std::string> notes;
  if (flags.exists) notes.push_back(ExistsNote(own));
  const bool usual = schema.self_loops(link.relation) > 0;
  if (flags.self && !flags.exists) {
    notes.push_back(absl::StrCat(
        "both ends are one node; ", snapshot.RelationName(link.relation),
        usual ? " links some nodes to themselves in the graph"
              : " links no node to itself in the graph"));
  }
  if (flags.off_schema_source) {
    notes.push_back(OffSchemaNote(snapshot, schema, link.source,
                                  {link.relation, Direction::kOut}));
  }
  if (flags.off_schema_target) {
    notes.push_back(OffSchemaNote(snapshot, schema, link.target,
                                  {link.relation, Direction::kIn}));
  }
  for (const auto& [cold, node] : {std::pair(flags.cold_source, link.source),
                                   std::pair(flags.cold_target, link.target)}) {
    if (!cold) continue;
    notes.push_back(absl::StrCat(LabelOf(snapshot, node),
                                 " has no link in the graph, so that little "
                                 "is known of it"));
    if (flags.self) break;
  }
  for (const auto& [unknown, cold, node] :
       {std::tuple(flags.unknown_source, flags.cold_source, link.source),
        std::tuple(flags.unknown_target, flags.cold_target, link.target)}) {
    if (!unknown) continue;
    notes.push_back(
        absl::StrCat(LabelOf(snapshot, node),
                     " came to the graph after the model was trained",
                     cold ? "" : ", which knows it by its links alone"));
    if (flags.self) break;
  }
  if (flags.truncated) {
    notes.push_back(
        "only some neighbours of a node with many links were searched for "
        "paths");
  }
  return notes;
}

std::string FlagNames(const LinkFlags& flags) {
  std::vector<std::string> names;
  const auto add = [&](bool set, const char* name) {
    if (set) names.emplace_back(name);
  };
  add(flags.exists, "exists");
  add(flags.self, "self");
  add(flags.off_schema_source, "off_schema_source");
  add(flags.off_schema_target, "off_schema_target");
  add(flags.cold_source, "cold_source");
  add(flags.cold_target, "cold_target");
  add(flags.unknown_source, "unknown_source");
  add(flags.unknown_target, "unknown_target");
  add(flags.truncated, "truncated");
  return absl::StrJoin(names, ",");
}

}  // namespace slice
