// Keys and values of the graph's column families as bytes. The format is
// described in graphstore/graph_records.cc.
#ifndef SLICE_GRAPHSTORE_GRAPH_RECORDS_H_
#define SLICE_GRAPHSTORE_GRAPH_RECORDS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graphstore/graph_data.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_store.h"
#include "graphstore/types.h"

namespace slice {

// The versions of the format. A graph whose links all have weight 1 is written
// as version 1, a graph with other weights as version 2. A store of version 3
// also has a log of changes (graphstore/change_log.h). All can be read.
inline constexpr int kGraphFormatVersion = 1;
inline constexpr int kWeightedGraphFormatVersion = 2;
inline constexpr int kLiveGraphFormatVersion = 3;

inline constexpr bool IsKnownGraphFormat(int version) {
  return version >= kGraphFormatVersion && version <= kLiveGraphFormatVersion;
}

// Arcs in one adjacency record. All records of a node in one direction are
// full, except the last.
inline constexpr size_t kArcsPerChunk = 4096;

// Keys of the meta family, in the order of their bytes.
inline constexpr std::string_view kGraphRecord = "graph";
inline constexpr std::string_view kNodeTypesRecord = "node_types";
inline constexpr std::string_view kRelationsRecord = "relations";

struct StoredNode {
  NodeRecord record;
  uint64_t out_degree = 0;
  uint64_t in_degree = 0;
};

struct AdjacencyKey {
  NodeId node = 0;
  Direction direction = Direction::kOut;
  uint16_t chunk = 0;
};

// Keys are big-endian, so that the order of bytes is the order of numbers.
std::string EncodeNodeKey(NodeId node);
std::string EncodeNameKey(NodeTypeId type, std::string_view name);
std::string EncodeAdjacencyKey(const AdjacencyKey& key);
std::string EncodeLinkKey(const Link& link);

std::string EncodeMetadata(const GraphMetadata& metadata);
std::string EncodeDictionary(const std::vector<std::string>& texts);
std::string EncodeNode(const StoredNode& node);
std::string EncodeIds(const std::vector<NodeId>& ascending);
// REQUIRES: sorted by (relation, neighbor), as in GraphSnapshot.
std::string EncodeArcs(const ArcSpan& arcs);
std::string EncodeWeight(float weight);

// Each returns false when the bytes are malformed, truncated or too long. The
// output is then unspecified.
bool DecodeNodeKey(std::string_view bytes, NodeId* node);
bool DecodeAdjacencyKey(std::string_view bytes, AdjacencyKey* key);
bool DecodeLinkKey(std::string_view bytes, Link* link);
// False also for a weight that is not a positive number.
bool DecodeWeight(std::string_view bytes, float* weight);
bool DecodeMetadata(std::string_view bytes, GraphMetadata* metadata);
bool DecodeDictionary(std::string_view bytes, std::vector<std::string>* texts);
bool DecodeNode(std::string_view bytes, StoredNode* node);
bool DecodeIds(std::string_view bytes, std::vector<NodeId>* ids);
// Appends to `arcs`.
bool DecodeArcs(std::string_view bytes, Direction direction,
                std::vector<Arc>* arcs);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_RECORDS_H_
