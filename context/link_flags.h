// What a reader should know about a link before trusting its score. The server,
// the trainer and its reports all take the flags of a link from here.
#ifndef SLICE_CONTEXT_LINK_FLAGS_H_
#define SLICE_CONTEXT_LINK_FLAGS_H_

#include <string>
#include <vector>

#include "context/own_pair_links.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/types.h"

namespace slice {

struct LinkFlags {
  bool exists = false;  // the graph has this link
  bool self = false;    // both ends are one node
  // The end does not fit in its place (graphstore/relation_schema.h).
  bool off_schema_source = false;
  bool off_schema_target = false;
  // The end has no link in the graph.
  bool cold_source = false;
  bool cold_target = false;
  // The end came to the graph after training. Whoever knows the model sets it.
  bool unknown_source = false;
  bool unknown_target = false;
  // The search for paths between the ends was incomplete. Whoever cuts the
  // contexts sets it.
  bool truncated = false;

  bool off_schema() const { return off_schema_source || off_schema_target; }

  bool operator==(const LinkFlags&) const = default;
};

// All flags of `link` but those that somebody else sets. `schema` is that of
// the graph on which the model was trained.
LinkFlags FlagsOf(const GraphSnapshot& snapshot, const RelationSchema& schema,
                  const Link& link);

// One sentence for each flag that is set, such as "curl has the type 'package';
// targets of tagged have 'debtag'". `own` says which links were hidden
// while the link was scored.
std::vector<std::string> FlagNotes(const GraphSnapshot& snapshot,
                                   const RelationSchema& schema,
                                   const Link& link, const LinkFlags& flags,
                                   OwnPairLinks own);

// The names of the flags that are set, such as "self,off_schema_target", in the
// order in which they are declared; empty when none is set.
std::string FlagNames(const LinkFlags& flags);

}  // namespace slice

#endif  // SLICE_CONTEXT_LINK_FLAGS_H_
