// A network is drawn in these steps:
//
// 1. Breadth-first search from the left end gives each node its column. The
//    right end gets the last column. Nodes that no link reaches stand in the
//    middle.
// 2. The nodes of a column stand above each other, each near the mean height of
//    its neighbours (the barycentre rule of Sugiyama et al., 1981).
// 3. Links are drawn as curves, and then the nodes over them. Names of links
//    stand at the middle of the curves.
#include "common/page/svg_network.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/page/html_page.h"
#include "common/page/markup.h"

namespace slice {
namespace {

constexpr double kWidth = 760, kSide = 80, kRow = 64, kBelow = 26;
constexpr size_t kLeftEnd = 0, kRightEnd = 1;
constexpr size_t kLongestName = 24, kLongestLinkName = 18;  // characters
constexpr int kColours = 6;
constexpr int kRounds = 4;  // of the barycentre rule

struct Point {
  double x = 0, y = 0;
};

// The first `most` characters of UTF-8 text, with an ellipsis if it has more.
std::string Shortened(const std::string& text, size_t most) {
  size_t characters = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
    if (begins && ++characters > most) return text.substr(0, i) + "…";
  }
  return text;
}

using Neighbors = std::vector<std::vector<size_t>>;

Neighbors NeighborsOf(const Network& network) {
  Neighbors neighbors(network.nodes.size());
  for (const NetworkLink& link : network.links) {
    neighbors[link.source].push_back(link.target);
    neighbors[link.target].push_back(link.source);
  }
  return neighbors;
}

// The nodes of each column, from left to right.
std::vector<std::vector<size_t>> ColumnsOf(const Neighbors& neighbors) {
  std::vector<size_t> hops(neighbors.size(), 0);
  std::vector<size_t> queue = {kLeftEnd};
  size_t last = 1;  // the most hops of a node between the ends
  for (size_t i = 0; i < queue.size(); ++i) {
    for (const size_t next : neighbors[queue[i]]) {
      if (next == kLeftEnd || next == kRightEnd || hops[next] > 0) continue;
      hops[next] = hops[queue[i]] + 1;
      last = std::max(last, hops[next]);
      queue.push_back(next);
    }
  }
  std::vector<std::vector<size_t>> columns(last + 2);
  columns.front() = {kLeftEnd};
  columns.back() = {kRightEnd};
  for (size_t node = 2; node < neighbors.size(); ++node) {
    columns[hops[node] > 0 ? hops[node] : (last + 1) / 2].push_back(node);
  }
  return columns;
}

std::vector<double> HeightsOf(std::vector<std::vector<size_t>> columns,
                              const Neighbors& neighbors, double height) {
  std::vector<double> heights(neighbors.size(), height / 2);
  const auto wish = [&](size_t node) {
    double sum = 0;
    for (const size_t other : neighbors[node]) sum += heights[other];
    const size_t count = neighbors[node].size();
    return count == 0 ? height / 2 : sum / static_cast<double>(count);
  };
  for (int round = 0; round < kRounds; ++round) {
    for (std::vector<size_t>& column : columns) {
      std::vector<std::pair<double, size_t>> wishes;
      for (const size_t node : column) wishes.emplace_back(wish(node), node);
      std::sort(wishes.begin(), wishes.end());
      for (size_t i = 0; i < column.size(); ++i) {
        column[i] = wishes[i].second;
        heights[column[i]] = (static_cast<double>(i) + 0.5) * height /
                             static_cast<double>(column.size());
      }
    }
  }
  return heights;
}

struct Layout {
  std::vector<Point> points;  // [nodes]
  double height = 0;
};

Layout LayOut(const Network& network) {
  const Neighbors neighbors = NeighborsOf(network);
  const std::vector<std::vector<size_t>> columns = ColumnsOf(neighbors);
  size_t rows = 2;
  for (const auto& column : columns) rows = std::max(rows, column.size());
  Layout layout{std::vector<Point>(network.nodes.size()),
                kRow * static_cast<double>(rows)};
  const std::vector<double> heights =
      HeightsOf(columns, neighbors, layout.height);
  const double step =
      (kWidth - 2 * kSide) / static_cast<double>(columns.size() - 1);
  for (size_t column = 0; column < columns.size(); ++column) {
    for (const size_t node : columns[column]) {
      layout.points[node] = {kSide + step * static_cast<double>(column),
                             heights[node]};
    }
  }
  return layout;
}

// How far a link bends, so that several links between two nodes lie apart: 0
// for the first, then 1, -1, 2, …
std::vector<double> BendsOf(const Network& network) {
  std::map<std::pair<size_t, size_t>, int> seen;
  std::vector<double> bends;
  for (const NetworkLink& link : network.links) {
    const int before = seen[std::minmax(link.source, link.target)]++;
    bends.push_back(before % 2 == 1 ? (before + 1) / 2 : -before / 2);
  }
  return bends;
}

std::string LinkDrawing(const Network& network, const NetworkLink& link,
                        const Layout& layout, double bend, double most) {
  Point left = layout.points[link.source], right = layout.points[link.target];
  const bool forward = left.x <= right.x;
  if (!forward) std::swap(left, right);
  const double middle = (left.x + right.x) / 2;
  const double lift = bend * kRow * 0.4;
  const std::string name = EscapeMarkup(Shortened(link.name, kLongestLinkName));
  return absl::StrFormat(
      "<g><title>%s −%s→ %s, weight %.3f</title><path class=\"edge\" "
      "stroke-width=\"%.2f\" d=\"M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f\"/>"
      "<text class=\"mark\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">"
      "%s%s%s</text></g>",
      EscapeMarkup(network.nodes[link.source].name), EscapeMarkup(link.name),
      EscapeMarkup(network.nodes[link.target].name), link.weight,
      1 + (most > 0 ? 6 * link.weight / most : 0), left.x, left.y, middle,
      left.y + lift, middle, right.y + lift, right.x, right.y, middle,
      (left.y + right.y) / 2 + 0.75 * lift - 5, forward ? "" : "← ", name,
      forward ? " →" : "");
}

std::string NodeDrawing(const NetworkNode& node, Point at, int colour,
                        bool is_end) {
  const double radius = is_end ? 11 : 8;
  return absl::StrFormat(
      "<g><title>%s%s</title><circle class=\"dot fill%d\" cx=\"%.1f\" "
      "cy=\"%.1f\" r=\"%g\"/><text class=\"name\" x=\"%.1f\" y=\"%.1f\" "
      "text-anchor=\"middle\">%s</text></g>",
      EscapeMarkup(node.name),
      node.kind.empty() ? "" : absl::StrCat(" (", EscapeMarkup(node.kind), ")"),
      colour, at.x, at.y, radius, at.x, at.y + radius + 14,
      EscapeMarkup(Shortened(node.name, kLongestName)));
}

}  // namespace

std::string NetworkDrawing(const std::string& title, const Network& network) {
  if (network.nodes.size() < 2) return "";
  std::map<std::string, int> colours;  // of kinds, in the order of their names
  for (const NetworkNode& node : network.nodes) colours[node.kind] = 0;
  int next = 0;
  std::string legend;
  for (auto& [kind, colour] : colours) {
    colour = next++ % kColours;
    if (kind.empty()) continue;
    absl::StrAppendFormat(&legend, "<span class=\"key%d\">%s</span>", colour,
                          EscapeMarkup(kind));
  }
  const Layout layout = LayOut(network);
  const std::vector<double> bends = BendsOf(network);
  double most = 0;
  for (const NetworkLink& link : network.links) {
    most = std::max(most, link.weight);
  }
  std::string svg = absl::StrFormat(
      "<svg class=\"chart network\" viewBox=\"0 0 %g %g\" role=\"img\" "
      "aria-label=\"%s\">",
      kWidth, layout.height + kBelow, EscapeMarkup(title));
  for (size_t i = 0; i < network.links.size(); ++i) {
    svg += LinkDrawing(network, network.links[i], layout, bends[i], most);
  }
  for (size_t i = 0; i < network.nodes.size(); ++i) {
    svg += NodeDrawing(network.nodes[i], layout.points[i],
                       colours[network.nodes[i].kind], i <= kRightEnd);
  }
  return absl::StrCat("<p class=\"legend\">", legend,
                      "<span class=\"plain\">thicker: more attention</span>"
                      "</p>",
                      ScrollRegion(title, svg + "</svg>"), "\n");
}

}  // namespace slice
