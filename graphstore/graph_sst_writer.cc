// A bulk load writes the records of a graph in key order straight into SST
// files, one per column family, which RocksDB then takes over without rewriting
// them. The records are those of graphstore/graph_records.cc; each Write
// function makes one family. RocksDB refuses keys that do not ascend and files
// without a record, so FamilySst opens its file with the first record: a family
// without records has no file.
#include "graphstore/graph_sst_writer.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "graphstore/graph_records.h"
#include "graphstore/rocksdb_status.h"
#include "rocksdb/options.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/sst_file_writer.h"

namespace slice {
namespace {

rocksdb::Slice AsSlice(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}

// One SST file, which is created with its first record.
class FamilySst {
 public:
  FamilySst(const std::filesystem::path& directory, GraphFamily family)
      : path_(SstPath(directory, family)),
        writer_(rocksdb::EnvOptions(), GraphFamilyOptions(family)) {}

  // REQUIRES: keys ascend.
  absl::Status Put(std::string_view key, std::string_view value) {
    if (!open_) {
      SLICE_RETURN_IF_ERROR(Convert(writer_.Open(path_.string())));
      open_ = true;
    }
    return Convert(writer_.Put(AsSlice(key), AsSlice(value)));
  }

  absl::Status Finish() {
    return open_ ? Convert(writer_.Finish()) : absl::OkStatus();
  }

 private:
  absl::Status Convert(const rocksdb::Status& status) const {
    return FromRocksDb(status, absl::StrCat("write ", path_.string()));
  }

  const std::filesystem::path path_;
  rocksdb::SstFileWriter writer_;
  bool open_ = false;
};

absl::Status WriteMeta(const GraphSnapshot& graph,
                       const GraphMetadata& metadata,
                       const std::filesystem::path& directory) {
  FamilySst sst(directory, GraphFamily::kMeta);
  SLICE_RETURN_IF_ERROR(sst.Put(kGraphRecord, EncodeMetadata(metadata)));
  SLICE_RETURN_IF_ERROR(
      sst.Put(kNodeTypesRecord, EncodeDictionary(graph.node_types())));
  SLICE_RETURN_IF_ERROR(
      sst.Put(kRelationsRecord, EncodeDictionary(graph.relations())));
  return sst.Finish();
}

absl::Status WriteNodes(const GraphSnapshot& graph,
                        const std::filesystem::path& directory) {
  FamilySst sst(directory, GraphFamily::kNode);
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    const StoredNode stored{graph.Node(node),
                            graph.Arcs(node, Direction::kOut).size(),
                            graph.Arcs(node, Direction::kIn).size()};
    SLICE_RETURN_IF_ERROR(sst.Put(EncodeNodeKey(node), EncodeNode(stored)));
  }
  return sst.Finish();
}

absl::Status WriteNames(const GraphSnapshot& graph,
                        const std::filesystem::path& directory) {
  std::vector<std::pair<std::string, NodeId>> entries;
  entries.reserve(graph.node_count());
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    entries.emplace_back(EncodeNameKey(graph.Type(node), graph.Name(node)),
                         node);
  }
  std::sort(entries.begin(), entries.end());
  FamilySst sst(directory, GraphFamily::kName);
  for (size_t begin = 0; begin < entries.size();) {
    const std::string& key = entries[begin].first;
    std::vector<NodeId> nodes;
    for (; begin + nodes.size() < entries.size() &&
           entries[begin + nodes.size()].first == key;)
      nodes.push_back(entries[begin + nodes.size()].second);
    SLICE_RETURN_IF_ERROR(sst.Put(key, EncodeIds(nodes)));
    begin += nodes.size();
  }
  return sst.Finish();
}

absl::Status WriteArcs(const GraphSnapshot& graph, NodeId node,
                       Direction direction, FamilySst* sst) {
  const ArcSpan arcs = graph.Arcs(node, direction);
  constexpr size_t kMostChunks = size_t{1} << 16;
  if (arcs.size() > kMostChunks * kArcsPerChunk) {
    return absl::InvalidArgumentError(
        absl::StrCat("node \"", graph.Key(node), "\" has ", arcs.size(),
                     " links in one direction; at most ",
                     kMostChunks * kArcsPerChunk, " can be stored"));
  }
  for (size_t begin = 0; begin < arcs.size(); begin += kArcsPerChunk) {
    const size_t count = std::min(kArcsPerChunk, arcs.size() - begin);
    const ArcSpan piece{arcs.neighbors.subspan(begin, count),
                        arcs.relations.subspan(begin, count),
                        {}};
    const AdjacencyKey key{node, direction,
                           static_cast<uint16_t>(begin / kArcsPerChunk)};
    SLICE_RETURN_IF_ERROR(sst->Put(EncodeAdjacencyKey(key), EncodeArcs(piece)));
  }
  return absl::OkStatus();
}

absl::Status WriteAdjacency(const GraphSnapshot& graph,
                            const std::filesystem::path& directory) {
  ProgressLine progress("write adjacency", graph.link_count(), "links");
  FamilySst sst(directory, GraphFamily::kAdjacency);
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    for (Direction direction : {Direction::kOut, Direction::kIn})
      SLICE_RETURN_IF_ERROR(WriteArcs(graph, node, direction, &sst));
    progress.Advance(graph.Arcs(node, Direction::kOut).size());
  }
  progress.Finish();
  return sst.Finish();
}

// Writes the weights other than 1.
absl::Status WriteWeights(const GraphSnapshot& graph,
                          const std::filesystem::path& directory) {
  if (!graph.has_weights()) return absl::OkStatus();
  FamilySst sst(directory, GraphFamily::kEdge);
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    const ArcSpan arcs = graph.Arcs(node, Direction::kOut);
    for (size_t i = 0; i < arcs.size(); ++i) {
      if (arcs.weights[i] == 1) continue;
      const Link link{node, arcs.relations[i], arcs.neighbors[i]};
      SLICE_RETURN_IF_ERROR(
          sst.Put(EncodeLinkKey(link), EncodeWeight(arcs.weights[i])));
    }
  }
  return sst.Finish();
}

}  // namespace

absl::Status WriteGraphSsts(const GraphSnapshot& graph,
                            const GraphMetadata& metadata,
                            const std::filesystem::path& directory) {
  SLICE_RETURN_IF_ERROR(WriteMeta(graph, metadata, directory));
  SLICE_RETURN_IF_ERROR(WriteNodes(graph, directory));
  SLICE_RETURN_IF_ERROR(WriteNames(graph, directory));
  SLICE_RETURN_IF_ERROR(WriteAdjacency(graph, directory));
  SLICE_RETURN_IF_ERROR(WriteWeights(graph, directory));
  return SyncPath(directory);
}

absl::Status CopyDatabaseToSsts(const GraphDatabase& database,
                                const std::filesystem::path& directory) {
  for (const GraphFamily family : kGraphFamilies) {
    FamilySst sst(directory, family);
    absl::Status written;
    SLICE_RETURN_IF_ERROR(database.Scan(
        family, [&](std::string_view key, std::string_view value) {
          written = sst.Put(key, value);
          return written.ok();
        }));
    SLICE_RETURN_IF_ERROR(written);
    SLICE_RETURN_IF_ERROR(sst.Finish());
  }
  return SyncPath(directory);
}

absl::StatusOr<GraphMetadata> ReadSstMetadata(
    const std::filesystem::path& directory) {
  const std::filesystem::path path = SstPath(directory, GraphFamily::kMeta);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return absl::NotFoundError(
        absl::StrCat("there is no graph in ", directory.string(), ": ",
                     path.filename().string(), " is missing"));
  }
  rocksdb::SstFileReader reader(GraphFamilyOptions(GraphFamily::kMeta));
  const std::string action = absl::StrCat("read ", path.string());
  SLICE_RETURN_IF_ERROR(FromRocksDb(reader.Open(path.string()), action));
  const std::unique_ptr<rocksdb::Iterator> records(
      reader.NewIterator(rocksdb::ReadOptions()));
  records->Seek(AsSlice(kGraphRecord));
  SLICE_RETURN_IF_ERROR(FromRocksDb(records->status(), action));
  GraphMetadata metadata;
  if (!records->Valid() || records->key() != AsSlice(kGraphRecord) ||
      !DecodeMetadata({records->value().data(), records->value().size()},
                      &metadata) ||
      !IsKnownGraphFormat(metadata.format_version)) {
    return absl::DataLossError(absl::StrCat(
        path.string(), " holds no graph of a format that this program reads (",
        kGraphFormatVersion, " to ", kLiveGraphFormatVersion, ")"));
  }
  return metadata;
}

}  // namespace slice
