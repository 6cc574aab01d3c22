// A verification reads each column family once, in this order, and compares it
// with what it has read before:
//
//   meta     The two dictionaries can be read.
//   node     Ids are 0, 1, 2 ... without a gap, types are known, no key occurs
//            twice, and the number of nodes is that of the metadata.
//   adj      Every record can be read, is sorted and names known nodes and
//            relations. A link must be stored at its source and at its target
//            (links_[0] and links_[1] must be equal), once each. The degrees in
//            the node records must match.
//   name2id  The records are exactly those that follow from the node records.
//   edge     Every weight belongs to a stored link.
//
// Then the digest of everything read must be the digest in the metadata.
//
// A problem never stops the verification. All problems are counted, and the
// first few are described. A record that cannot be read is left out of the
// later steps, but an unreadable node keeps its place, so that later ids still
// fit.
#include "graphstore/graph_verifier.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/progress.h"
#include "graphstore/graph_records.h"

namespace slice {
namespace {

constexpr size_t kMostDescribed = 20;  // problems

// One verification. Run calls its steps in the order above.
class GraphVerifier {
 public:
  GraphVerifier(const GraphDatabase& database, const GraphMetadata& metadata)
      : database_(database),
        metadata_(metadata),
        progress_("verify", 2 * metadata.link_count, "links") {}

  GraphVerification Run();

 private:
  void AddProblem(std::string text);
  void ScanFamily(GraphFamily family, const GraphDatabase::Visit& visit);
  void CheckCount(std::string_view what, uint64_t found, uint64_t expected);

  void ReadDictionary(std::string_view record, std::vector<std::string>* texts);
  void ReadNodes();
  void ReadAdjacency();
  void ReadArcs(const AdjacencyKey& key, std::string_view value);
  void CheckDirections();
  void CheckDegrees();
  void CheckNames();
  void ReadWeights();
  void CheckDigest();

  std::string Describe(NodeId node) const;
  std::string Describe(const Link& link) const;

  const GraphDatabase& database_;
  const GraphMetadata& metadata_;
  ProgressLine progress_;
  GraphVerification result_;
  GraphData data_;                 // filled step by step, for the digest
  std::vector<StoredNode> nodes_;  // by id
  // The links as stored at their sources, and as stored at their targets.
  std::vector<Link> links_[2];  // by Direction
};

void GraphVerifier::AddProblem(std::string text) {
  ++result_.problem_count;
  if (result_.problems.size() < kMostDescribed)
    result_.problems.push_back(std::move(text));
}

void GraphVerifier::ScanFamily(GraphFamily family,
                               const GraphDatabase::Visit& visit) {
  if (const absl::Status status = database_.Scan(family, visit); !status.ok())
    AddProblem(std::string(status.message()));
}

void GraphVerifier::CheckCount(std::string_view what, uint64_t found,
                               uint64_t expected) {
  if (found == expected) return;
  AddProblem(absl::StrCat("there are ", found, " ", std::string(what),
                          ", but the metadata says ", expected));
}

std::string GraphVerifier::Describe(NodeId node) const {
  return node < nodes_.size()
             ? absl::StrCat("node \"", nodes_[node].record.key, "\"")
             : absl::StrCat("node ", node);
}

std::string GraphVerifier::Describe(const Link& link) const {
  const std::vector<std::string>& relations = data_.catalogue.relations;
  return absl::StrCat("link ", Describe(link.source), " ",
                      link.relation < relations.size()
                          ? relations[link.relation]
                          : absl::StrCat(link.relation),
                      " ", Describe(link.target));
}

void GraphVerifier::ReadDictionary(std::string_view record,
                                   std::vector<std::string>* texts) {
  const auto value = database_.Get(GraphFamily::kMeta, record);
  if (!value.ok()) return AddProblem(std::string(value.status().message()));
  if (!value->has_value() || !DecodeDictionary(**value, texts)) {
    AddProblem(absl::StrCat("meta: the record \"", std::string(record),
                            "\" is missing or malformed"));
  }
}

void GraphVerifier::ReadNodes() {
  ScanFamily(GraphFamily::kNode, [&](std::string_view key,
                                     std::string_view value) {
    NodeId node = 0;
    StoredNode stored;
    if (!DecodeNodeKey(key, &node) || !DecodeNode(value, &stored)) {
      AddProblem(absl::StrFormat("node: the record after %d nodes is malformed",
                                 nodes_.size()));
    } else if (node != nodes_.size()) {
      AddProblem(absl::StrCat("node: the record of id ", nodes_.size(),
                              " is missing"));
    }
    if (stored.record.type >= data_.catalogue.node_types.size()) {
      AddProblem(absl::StrCat("node: \"", stored.record.key,
                              "\" has the unknown type ", stored.record.type));
    }
    nodes_.push_back(std::move(stored));
    return true;
  });
  std::vector<std::string_view> keys;
  for (const StoredNode& node : nodes_) keys.push_back(node.record.key);
  std::sort(keys.begin(), keys.end());
  const auto repeated = std::adjacent_find(keys.begin(), keys.end());
  if (repeated != keys.end()) {
    AddProblem(absl::StrCat("node: two nodes have the key \"",
                            std::string(*repeated), "\""));
  }
  CheckCount("nodes", nodes_.size(), metadata_.node_count);
}

void GraphVerifier::ReadArcs(const AdjacencyKey& key, std::string_view value) {
  std::vector<Arc> arcs;
  const std::string where =
      absl::StrCat("adj: record ", key.chunk, " of the ",
                   key.direction == Direction::kOut ? "outgoing" : "incoming",
                   " links of ", Describe(key.node));
  if (!DecodeArcs(value, key.direction, &arcs))
    return AddProblem(absl::StrCat(where, " is malformed"));
  for (const Arc& arc : arcs) {
    if (arc.neighbor >= nodes_.size() ||
        arc.relation >= data_.catalogue.relations.size())
      return AddProblem(
          absl::StrCat(where, " names an unknown node or relation"));
    links_[static_cast<int>(key.direction)].push_back(
        key.direction == Direction::kOut
            ? Link{key.node, arc.relation, arc.neighbor}
            : Link{arc.neighbor, arc.relation, key.node});
  }
  if (!std::is_sorted(arcs.begin(), arcs.end(), [](const Arc& a, const Arc& b) {
        return std::pair(a.relation, a.neighbor) <
               std::pair(b.relation, b.neighbor);
      }))
    AddProblem(absl::StrCat(where, " is not sorted"));
  progress_.Advance(arcs.size());
}

void GraphVerifier::ReadAdjacency() {
  ScanFamily(GraphFamily::kAdjacency, [&](std::string_view bytes,
                                          std::string_view value) {
    AdjacencyKey key;
    if (!DecodeAdjacencyKey(bytes, &key) || key.node >= nodes_.size()) {
      AddProblem("adj: a record's key is malformed");
    } else {
      ReadArcs(key, value);
    }
    return true;
  });
}

void GraphVerifier::CheckDirections() {
  for (std::vector<Link>& links : links_) {
    std::sort(links.begin(), links.end());
    const auto repeated = std::adjacent_find(links.begin(), links.end());
    if (repeated != links.end())
      AddProblem(absl::StrCat("adj: ", Describe(*repeated), " is there twice"));
    links.erase(std::unique(links.begin(), links.end()), links.end());
  }
  for (const int direction : {0, 1}) {
    std::vector<Link> alone;
    std::set_difference(links_[direction].begin(), links_[direction].end(),
                        links_[1 - direction].begin(),
                        links_[1 - direction].end(), std::back_inserter(alone));
    for (const Link& link : alone) {
      AddProblem(absl::StrCat("adj: ", Describe(link), " is stored at its ",
                              direction == 0 ? "source" : "target",
                              " but not at its ",
                              direction == 0 ? "target" : "source"));
    }
  }
  CheckCount("links", links_[0].size(), metadata_.link_count);
}

void GraphVerifier::CheckDegrees() {
  std::vector<uint64_t> degrees[2];
  for (std::vector<uint64_t>& of_direction : degrees)
    of_direction.resize(nodes_.size());
  for (const Link& link : links_[0]) ++degrees[0][link.source];
  for (const Link& link : links_[1]) ++degrees[1][link.target];
  for (size_t node = 0; node < nodes_.size(); ++node) {
    const StoredNode& stored = nodes_[node];
    if (stored.out_degree != degrees[0][node] ||
        stored.in_degree != degrees[1][node]) {
      AddProblem(absl::StrCat("node: \"", stored.record.key, "\" says ",
                              stored.out_degree, " outgoing and ",
                              stored.in_degree, " incoming links, but has ",
                              degrees[0][node], " and ", degrees[1][node]));
    }
  }
}

void GraphVerifier::CheckNames() {
  std::map<std::string, std::vector<NodeId>> expected;
  for (NodeId node = 0; node < nodes_.size(); ++node) {
    const NodeRecord& record = nodes_[node].record;
    expected[EncodeNameKey(record.type, record.name)].push_back(node);
  }
  ScanFamily(GraphFamily::kName, [&](std::string_view key,
                                     std::string_view value) {
    ++result_.names;
    std::vector<NodeId> ids;
    const auto found = expected.find(std::string(key));
    if (!DecodeIds(value, &ids)) {
      AddProblem("name2id: a record is malformed");
    } else if (found == expected.end()) {
      AddProblem(absl::StrCat("name2id: a record names ",
                              ids.empty() ? "nothing" : Describe(ids.front()),
                              " under a name that this node does not have"));
    } else if (ids != found->second) {
      AddProblem(absl::StrCat("name2id: the name \"",
                              nodes_[found->second.front()].record.name,
                              "\" does not lead to its nodes"));
    }
    if (found != expected.end()) expected.erase(found);
    return true;
  });
  for (const auto& [key, ids] : expected) {
    AddProblem(absl::StrCat("name2id: the name of ", Describe(ids.front()),
                            " is missing"));
  }
}

void GraphVerifier::ReadWeights() {
  data_.links = std::move(links_[0]);
  ScanFamily(
      GraphFamily::kEdge, [&](std::string_view key, std::string_view value) {
        Link link;
        float weight = 1;
        if (!DecodeLinkKey(key, &link) || !DecodeWeight(value, &weight)) {
          AddProblem("edge: a record is malformed");
          return true;
        }
        const auto found =
            std::lower_bound(data_.links.begin(), data_.links.end(), link);
        if (found == data_.links.end() || *found != link) {
          AddProblem(absl::StrCat("edge: a weight is stored of ",
                                  Describe(link), ", but not the link itself"));
          return true;
        }
        data_.weights.resize(data_.links.size(), 1.0f);
        data_.weights[found - data_.links.begin()] = weight;
        return true;
      });
}

void GraphVerifier::CheckDigest() {
  for (StoredNode& node : nodes_)
    data_.catalogue.nodes.push_back(std::move(node.record));
  result_.graph_digest = GraphDigest(data_);
  if (result_.graph_digest != metadata_.graph_digest) {
    AddProblem(absl::StrCat("the digest is ", result_.graph_digest,
                            ", but the metadata says ",
                            metadata_.graph_digest));
  }
}

GraphVerification GraphVerifier::Run() {
  ReadDictionary(kNodeTypesRecord, &data_.catalogue.node_types);
  ReadDictionary(kRelationsRecord, &data_.catalogue.relations);
  ReadNodes();
  ReadAdjacency();
  CheckDirections();
  CheckDegrees();
  CheckNames();
  ReadWeights();
  result_.nodes = nodes_.size();
  result_.links = data_.links.size();
  CheckDigest();
  progress_.Finish();
  return std::move(result_);
}

}  // namespace

GraphVerification VerifyGraph(const GraphDatabase& database,
                              const GraphMetadata& metadata) {
  return GraphVerifier(database, metadata).Run();
}

}  // namespace slice
