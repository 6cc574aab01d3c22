// A small network drawn as inline SVG, in the style of common/page/svg_chart.h.
#ifndef SLICE_COMMON_PAGE_SVG_NETWORK_H_
#define SLICE_COMMON_PAGE_SVG_NETWORK_H_

#include <cstddef>
#include <string>
#include <vector>

namespace slice {

struct NetworkNode {
  std::string name;
  std::string kind;  // nodes of one kind have one colour; may be empty
};

// A link between two nodes, by their positions.
struct NetworkLink {
  size_t source = 0;
  size_t target = 0;
  std::string name;
  double weight = 0;  // not negative; the largest gives the thickest line
};

// nodes[0] and nodes[1] are the two ends.
struct Network {
  std::vector<NetworkNode> nodes;
  std::vector<NetworkLink> links;
};

// Draws the first end on the left, the second on the right, and the other nodes
// between them in columns by their distance from the first. The arrows of links
// against the reading direction point left. Long names are cut; hovering shows
// them whole. Empty for fewer than two nodes. REQUIRES: the links name nodes.
std::string NetworkDrawing(const std::string& title, const Network& network);

}  // namespace slice

#endif  // SLICE_COMMON_PAGE_SVG_NETWORK_H_
