// This is the layout of format versions 1 and 2. Only version 2 has records in
// `edge`. Integers in keys are big-endian. In the values:
//
//   varint   an unsigned integer in LEB128; `varint a, b` are two of them
//   text     the length as a varint, then the bytes
//   ids      ascending ids: the first id, then the differences, each a varint
//   group    the arcs of one relation: varint relation, count; ids of the
//            neighbours
//
//   family   key                                value
//   meta     "graph"                            varint format version, nodes,
//                                               links, graph version; text
//                                               graph digest, split digest
//   meta     "node_types", "relations"          varint count; count texts
//   node     id u32                             varint type, out degree, in
//                                               degree; text key, name; varint
//                                               number of attributes (0)
//   name2id  hash u64 of (type, name)           varint count; ids of the nodes
//   adj      id u32, direction u8, chunk u16    one or more groups
//   edge     source u32, relation u16,          weight, a float32 as big-endian
//            target u32                         u32; only weights other than 1
//   delta    the log of changes: graphstore/change_log.cc
//
// A value with further bytes after these parts is malformed.
//
// An adj record holds 4,096 arcs; the last record of a node and direction holds
// the rest. So the arcs of one relation may continue in the next record, as a
// second group. A node without arcs has no adj record. Nodes with different
// (type, name) but equal hashes share a name2id record, so a reader compares
// type and name with the node record.
#include "graphstore/graph_records.h"

#include <bit>
#include <cmath>

#include "common/random.h"
#include "graphstore/record_bytes.h"

namespace slice {

std::string EncodeNodeKey(NodeId node) {
  std::string key;
  AppendBigEndian(&key, node);
  return key;
}

std::string EncodeNameKey(NodeTypeId type, std::string_view name) {
  std::string key;
  AppendBigEndian(&key, CombineHash(type, HashBytes(name)));
  return key;
}

std::string EncodeAdjacencyKey(const AdjacencyKey& key) {
  std::string bytes;
  AppendBigEndian(&bytes, key.node);
  AppendBigEndian(&bytes, static_cast<uint8_t>(key.direction));
  AppendBigEndian(&bytes, key.chunk);
  return bytes;
}

std::string EncodeLinkKey(const Link& link) {
  std::string bytes;
  AppendBigEndian(&bytes, link.source);
  AppendBigEndian(&bytes, link.relation);
  AppendBigEndian(&bytes, link.target);
  return bytes;
}

std::string EncodeWeight(float weight) {
  std::string bytes;
  AppendBigEndian(&bytes, std::bit_cast<uint32_t>(weight));
  return bytes;
}

std::string EncodeMetadata(const GraphMetadata& metadata) {
  std::string bytes;
  AppendVarint(&bytes, static_cast<uint64_t>(metadata.format_version));
  AppendVarint(&bytes, metadata.node_count);
  AppendVarint(&bytes, metadata.link_count);
  AppendVarint(&bytes, metadata.graph_version);
  AppendText(&bytes, metadata.graph_digest);
  AppendText(&bytes, metadata.split_digest);
  return bytes;
}

std::string EncodeDictionary(const std::vector<std::string>& texts) {
  std::string bytes;
  AppendVarint(&bytes, texts.size());
  for (const std::string& text : texts) AppendText(&bytes, text);
  return bytes;
}

std::string EncodeNode(const StoredNode& node) {
  std::string bytes;
  AppendVarint(&bytes, node.record.type);
  AppendVarint(&bytes, node.out_degree);
  AppendVarint(&bytes, node.in_degree);
  AppendText(&bytes, node.record.key);
  AppendText(&bytes, node.record.name);
  AppendVarint(&bytes, 0);
  return bytes;
}

std::string EncodeIds(const std::vector<NodeId>& ascending) {
  std::string bytes;
  AppendVarint(&bytes, ascending.size());
  NodeId last = 0;
  for (const NodeId id : ascending) {
    AppendVarint(&bytes, id - last);
    last = id;
  }
  return bytes;
}

std::string EncodeArcs(const ArcSpan& arcs) {
  std::string bytes;
  for (size_t begin = 0; begin < arcs.size();) {
    size_t end = begin;
    while (end < arcs.size() && arcs.relations[end] == arcs.relations[begin])
      ++end;
    AppendVarint(&bytes, arcs.relations[begin]);
    AppendVarint(&bytes, end - begin);
    NodeId last = 0;
    for (; begin < end; ++begin) {
      AppendVarint(&bytes, arcs.neighbors[begin] - last);
      last = arcs.neighbors[begin];
    }
  }
  return bytes;
}

bool DecodeNodeKey(std::string_view bytes, NodeId* node) {
  if (bytes.size() != sizeof(NodeId)) return false;
  *node = ReadBigEndian<NodeId>(bytes);
  return true;
}

bool DecodeAdjacencyKey(std::string_view bytes, AdjacencyKey* key) {
  if (bytes.size() != 7 || (bytes[4] != 0 && bytes[4] != 1)) return false;
  key->node = ReadBigEndian<NodeId>(bytes);
  key->direction = static_cast<Direction>(bytes[4]);
  key->chunk = ReadBigEndian<uint16_t>(bytes.substr(5));
  return true;
}

bool DecodeLinkKey(std::string_view bytes, Link* link) {
  if (bytes.size() != 10) return false;
  link->source = ReadBigEndian<NodeId>(bytes);
  link->relation = ReadBigEndian<RelationId>(bytes.substr(4));
  link->target = ReadBigEndian<NodeId>(bytes.substr(6));
  return true;
}

bool DecodeWeight(std::string_view bytes, float* weight) {
  if (bytes.size() != sizeof(uint32_t)) return false;
  *weight = std::bit_cast<float>(ReadBigEndian<uint32_t>(bytes));
  return *weight > 0 && std::isfinite(*weight);
}

bool DecodeMetadata(std::string_view bytes, GraphMetadata* metadata) {
  RecordReader reader(bytes);
  return reader.ReadVarint(&metadata->format_version, 1'000'000) &&
         reader.ReadVarint(&metadata->node_count) &&
         reader.ReadVarint(&metadata->link_count) &&
         reader.ReadVarint(&metadata->graph_version) &&
         reader.ReadText(&metadata->graph_digest) &&
         reader.ReadText(&metadata->split_digest) && reader.left() == 0;
}

bool DecodeDictionary(std::string_view bytes, std::vector<std::string>* texts) {
  RecordReader reader(bytes);
  uint64_t count = 0;
  if (!reader.ReadVarint(&count) || count > reader.left()) return false;
  texts->resize(count);
  for (std::string& text : *texts) {
    if (!reader.ReadText(&text)) return false;
  }
  return reader.left() == 0;
}

bool DecodeNode(std::string_view bytes, StoredNode* node) {
  RecordReader reader(bytes);
  uint64_t attributes = 0;
  return reader.ReadVarint(&node->record.type, UINT16_MAX) &&
         reader.ReadVarint(&node->out_degree) &&
         reader.ReadVarint(&node->in_degree) &&
         reader.ReadText(&node->record.key) &&
         reader.ReadText(&node->record.name) &&
         reader.ReadVarint(&attributes) && attributes == 0 &&
         reader.left() == 0;
}

bool DecodeIds(std::string_view bytes, std::vector<NodeId>* ids) {
  RecordReader reader(bytes);
  uint64_t count = 0;
  ids->clear();
  return reader.ReadVarint(&count) && count <= reader.left() &&
         reader.ReadIds(count, [&](NodeId id) { ids->push_back(id); }) &&
         reader.left() == 0;
}

bool DecodeArcs(std::string_view bytes, Direction direction,
                std::vector<Arc>* arcs) {
  RecordReader reader(bytes);
  while (reader.left() > 0) {
    RelationId relation = 0;
    uint64_t count = 0;
    if (!reader.ReadVarint(&relation, UINT16_MAX) ||
        !reader.ReadVarint(&count) || count == 0 || count > reader.left() ||
        !reader.ReadIds(count, [&](NodeId neighbor) {
          arcs->push_back({neighbor, relation, direction});
        }))
      return false;
  }
  return true;
}

}  // namespace slice
