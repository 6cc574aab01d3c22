// Numbers that belong to nodes, as they are given.
#ifndef SLICE_GRAPHSTORE_NODE_ATTRIBUTES_H_
#define SLICE_GRAPHSTORE_NODE_ATTRIBUTES_H_

#include <string>
#include <vector>

namespace slice {

struct NodeAttributes {
  std::vector<std::string> names;
  std::vector<float> values;  // [nodes, names], NaN = missing
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_NODE_ATTRIBUTES_H_
