// How a caller names nodes and links.
#ifndef SLICE_CLIENT_NODE_QUERY_H_
#define SLICE_CLIENT_NODE_QUERY_H_

#include <string>

namespace slice {

// A node as the caller names it: by key, name or "type:name". When the text is
// the key of one node and the name of another, the server takes the key.
struct NodeQuery {
  std::string text;
  // True: `text` is a key, never a name.
  bool exact_key = false;
};

struct LinkQuery {
  NodeQuery source;
  std::string relation;
  NodeQuery target;
};

}  // namespace slice

#endif  // SLICE_CLIENT_NODE_QUERY_H_
