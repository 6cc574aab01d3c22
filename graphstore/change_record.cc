// Six lists, each a varint count and its members. Texts and varints are those
// of graphstore/graph_records.cc.
//
//   added types     text name
//   added nodes     varint type; text key, name
//   set nodes       varint id, type; text key, name
//   removed nodes   varint id
//   added links     varint source, relation, target; the weight, a float32 as
//                   big-endian u32
//   removed links   varint source, relation, target
#include "graphstore/change_record.h"

#include <bit>
#include <cstdint>

namespace slice {
namespace {

// No member of a list takes fewer bytes, so a longer list is malformed.
bool ReadCount(RecordReader* reader, uint64_t* count) {
  return reader->ReadVarint(count) && *count <= reader->left();
}

void AppendNode(std::string* bytes, const NodeRecord& record) {
  AppendVarint(bytes, record.type);
  AppendText(bytes, record.key);
  AppendText(bytes, record.name);
}

bool ReadNode(RecordReader* reader, NodeRecord* record) {
  return reader->ReadVarint(&record->type, UINT16_MAX) &&
         reader->ReadText(&record->key) && reader->ReadText(&record->name);
}

void AppendLink(std::string* bytes, const Link& link) {
  AppendVarint(bytes, link.source);
  AppendVarint(bytes, link.relation);
  AppendVarint(bytes, link.target);
}

bool ReadId(RecordReader* reader, NodeId* node) {
  return reader->ReadVarint(node, kNoNode - 1);
}

bool ReadLink(RecordReader* reader, Link* link) {
  return ReadId(reader, &link->source) &&
         reader->ReadVarint(&link->relation, UINT16_MAX) &&
         ReadId(reader, &link->target);
}

bool ReadWeight(RecordReader* reader, float* weight) {
  uint32_t bits = 0;
  if (!reader->ReadBigEndian(&bits)) return false;
  *weight = std::bit_cast<float>(bits);
  return true;
}

// Reads a list: read(member) for each.
template <typename T, typename Read>
bool ReadList(RecordReader* reader, std::vector<T>* list, Read read) {
  uint64_t count = 0;
  if (!ReadCount(reader, &count)) return false;
  list->resize(count);
  for (T& member : *list) {
    if (!read(&member)) return false;
  }
  return true;
}

}  // namespace

std::string EncodeChanges(const GraphChanges& changes) {
  std::string bytes;
  AppendVarint(&bytes, changes.added_types.size());
  for (const std::string& type : changes.added_types) AppendText(&bytes, type);
  AppendVarint(&bytes, changes.added_nodes.size());
  for (const NodeRecord& node : changes.added_nodes) AppendNode(&bytes, node);
  AppendVarint(&bytes, changes.set_nodes.size());
  for (const auto& [node, record] : changes.set_nodes) {
    AppendVarint(&bytes, node);
    AppendNode(&bytes, record);
  }
  AppendVarint(&bytes, changes.removed_nodes.size());
  for (const NodeId node : changes.removed_nodes) AppendVarint(&bytes, node);
  AppendVarint(&bytes, changes.added_links.size());
  for (const auto& [link, weight] : changes.added_links) {
    AppendLink(&bytes, link);
    AppendBigEndian(&bytes, std::bit_cast<uint32_t>(weight));
  }
  AppendVarint(&bytes, changes.removed_links.size());
  for (const Link& link : changes.removed_links) AppendLink(&bytes, link);
  return bytes;
}

bool ReadChanges(RecordReader* reader, GraphChanges* changes) {
  return ReadList(reader, &changes->added_types,
                  [&](std::string* type) { return reader->ReadText(type); }) &&
         ReadList(
             reader, &changes->added_nodes,
             [&](NodeRecord* record) { return ReadNode(reader, record); }) &&
         ReadList(reader, &changes->set_nodes,
                  [&](NodeChange* set) {
                    return ReadId(reader, &set->node) &&
                           ReadNode(reader, &set->record);
                  }) &&
         ReadList(reader, &changes->removed_nodes,
                  [&](NodeId* node) { return ReadId(reader, node); }) &&
         ReadList(reader, &changes->added_links,
                  [&](WeightedLink* added) {
                    return ReadLink(reader, &added->link) &&
                           ReadWeight(reader, &added->weight);
                  }) &&
         ReadList(reader, &changes->removed_links,
                  [&](Link* link) { return ReadLink(reader, link); });
}

bool DecodeChanges(std::string_view bytes, GraphChanges* changes) {
  RecordReader reader(bytes);
  return ReadChanges(&reader, changes) && reader.left() == 0;
}

}  // namespace slice
