// Changes of the graph that a question imagines, as plain structs.
#ifndef SLICE_CLIENT_WHAT_IF_TYPES_H_
#define SLICE_CLIENT_WHAT_IF_TYPES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "client/node_query.h"

namespace slice {

struct ImaginedNode {
  std::string key;
  std::string type;  // empty: the first type of the graph
};

// At most 64 changes. Nothing of it is stored by the server.
struct WhatIfQuery {
  std::vector<ImaginedNode> added_nodes;
  std::vector<NodeQuery> removed_nodes;
  std::vector<LinkQuery> added_links;
  std::vector<LinkQuery> removed_links;

  size_t size() const {
    return added_nodes.size() + removed_nodes.size() + added_links.size() +
           removed_links.size();
  }
  bool empty() const { return size() == 0; }
};

// The change at `position` of a query, nodes first, in the order of the lists:
// "with curl depends zlib1g", "without the node curl".
std::string DescribeChange(const WhatIfQuery& query, size_t position);

}  // namespace slice

#endif  // SLICE_CLIENT_WHAT_IF_TYPES_H_
