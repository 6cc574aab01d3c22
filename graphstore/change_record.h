// Changes of a graph as bytes. The same changes have the same bytes wherever
// they are made, so that two servers can compare what they applied.
#ifndef SLICE_GRAPHSTORE_CHANGE_RECORD_H_
#define SLICE_GRAPHSTORE_CHANGE_RECORD_H_

#include <string>
#include <string_view>

#include "graphstore/graph_changes.h"
#include "graphstore/record_bytes.h"

namespace slice {

// The format is described in graphstore/change_record.cc.
std::string EncodeChanges(const GraphChanges& changes);

// Reads changes off the front of a record. Returns false when the bytes are
// malformed or truncated; the output is then unspecified.
bool ReadChanges(RecordReader* reader, GraphChanges* changes);

// As ReadChanges; false also when bytes are left.
bool DecodeChanges(std::string_view bytes, GraphChanges* changes);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_CHANGE_RECORD_H_
