#include "graphstore/graph_data.h"

#include <algorithm>
#include <string_view>

#include "common/files.h"

namespace slice {
namespace {

constexpr size_t kPieceBytes = 1 << 20;

// Digests a long byte sequence without keeping it: the result is the SHA-256 of
// the concatenated SHA-256s (lower-case hexadecimal) of its pieces, each ended
// by the first integer that makes it a megabyte or more.
//
// The sequence is: node, type and relation counts; every node as (type, key,
// name); every type; every relation; the number of links; every link as
// (source, relation, target), sorted and distinct. Integers are little-endian
// u64, strings are preceded by their length.
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

  std::vector<Link> links = data.links;
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  digest.AddNumber(links.size());
  for (const Link& link : links) {
    digest.AddNumber(link.source);
    digest.AddNumber(link.relation);
    digest.AddNumber(link.target);
  }
  return digest.Finish();
}

}  // namespace slice
