// SortLinks brings links into the one order that everything else relies on:
// (source, relation, target), distinct. GraphDigest hashes a graph in that
// order, so that a digest does not depend on the order of the input. The digest
// is that of a byte sequence which PieceDigest describes; changing the sequence
// changes the identity of every stored graph and bundle.
#include "graphstore/graph_data.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "common/sha256.h"

namespace slice {
namespace {

constexpr size_t kPieceBytes = 1 << 20;

// Digests a long byte sequence without keeping it. The sequence is cut into
// pieces: a piece ends after the first integer that makes it a megabyte or
// longer. The result is the SHA-256 of the concatenated SHA-256s (lower-case
// hexadecimal) of the pieces.
//
// The sequence is: the numbers of nodes, types and relations; every node as
// (type, key, name); every type; every relation; the number of links; every
// link as (source, relation, target), sorted and distinct; unless all weights
// are 1, the weights as the bits of a float32, in the same order. Integers are
// little-endian u64, strings are preceded by their length.
class PieceDigest {
 public:
  void AddNumber(uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8)
      piece_.push_back(static_cast<char>(value >> shift));
    if (piece_.size() >= kPieceBytes) Flush();
  }

  void AddString(std::string_view text) {
    AddNumber(text.size());
    piece_.append(text);
  }

  std::string Finish() {
    Flush();
    return Sha256Bytes(digests_);
  }

 private:
  void Flush() {
    digests_.append(Sha256Bytes(piece_));
    piece_.clear();
  }

  std::string piece_;
  std::string digests_;
};

}  // namespace

uint64_t SortLinks(GraphData* data) {
  std::vector<Link>& links = data->links;
  std::vector<float>& weights = data->weights;
  const size_t rows = links.size();
  if (weights.empty()) {
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return rows - links.size();
  }
  std::vector<std::pair<Link, float>> weighted(rows);
  for (size_t i = 0; i < rows; ++i) weighted[i] = {links[i], weights[i]};
  std::sort(weighted.begin(), weighted.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second > b.second;
  });
  const auto end = std::unique(
      weighted.begin(), weighted.end(),
      [](const auto& a, const auto& b) { return a.first == b.first; });
  links.clear();
  weights.clear();
  for (auto row = weighted.begin(); row != end; ++row) {
    links.push_back(row->first);
    weights.push_back(row->second);
  }
  if (std::all_of(weights.begin(), weights.end(),
                  [](float weight) { return weight == 1; }))
    weights = {};
  return rows - links.size();
}

void EraseLinks(GraphData* data,
                const std::function<bool(const Link&)>& unwanted) {
  size_t kept = 0;
  for (size_t i = 0; i < data->links.size(); ++i) {
    if (unwanted(data->links[i])) continue;
    data->links[kept] = data->links[i];
    if (!data->weights.empty()) data->weights[kept] = data->weights[i];
    ++kept;
  }
  data->links.resize(kept);
  if (!data->weights.empty()) data->weights.resize(kept);
}

std::string GraphDigest(const GraphData& data) {
  const GraphCatalogue& catalogue = data.catalogue;
  PieceDigest digest;
  digest.AddNumber(catalogue.nodes.size());
  digest.AddNumber(catalogue.node_types.size());
  digest.AddNumber(catalogue.relations.size());
  for (const NodeRecord& node : catalogue.nodes) {
    digest.AddNumber(node.type);
    digest.AddString(node.key);
    digest.AddString(node.name);
  }
  for (const std::string& type : catalogue.node_types) digest.AddString(type);
  for (const std::string& relation : catalogue.relations)
    digest.AddString(relation);

  GraphData sorted{{}, data.links, data.weights};
  SortLinks(&sorted);
  digest.AddNumber(sorted.links.size());
  for (const Link& link : sorted.links) {
    digest.AddNumber(link.source);
    digest.AddNumber(link.relation);
    digest.AddNumber(link.target);
  }
  for (const float weight : sorted.weights)
    digest.AddNumber(std::bit_cast<uint32_t>(weight));
  return digest.Finish();
}

}  // namespace slice
