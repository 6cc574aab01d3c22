// OpenedGraphStore reads and writes a GraphDatabase in the records of
// graphstore/graph_records.cc.
//
// A bulk load is all or nothing. It builds a snapshot, which checks the graph;
// writes SST files into the directory `loading` below the store's own; and lets
// RocksDB take them over in one step, which either adds all records or none.
// The next Open removes what an interrupted load has left in `loading`.
//
// Reads trust no record: a missing or malformed record is DATA_LOSS, with the
// advice to run slice-graph verify, which looks for further problems. A lookup
// that finds nothing also reads the metadata, to tell an unknown id from a lost
// record and from a store without a graph.
#include "graphstore/rocksdb_graph_store.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/status_macros.h"
#include "graphstore/database_checkpoint.h"
#include "graphstore/graph_database.h"
#include "graphstore/graph_records.h"
#include "graphstore/graph_sst_writer.h"
#include "graphstore/graph_verifier.h"
#include "graphstore/stored_metadata.h"

namespace slice {
namespace {

// The directory, below the store's own, of the SST files of a bulk load.
constexpr std::string_view kLoadingDirectory = "loading";

absl::Status Malformed(const GraphDatabase& database, std::string_view what) {
  return absl::DataLossError(absl::StrCat(
      database.directory().string(), ": the record of ", std::string(what),
      " is missing or malformed; run slice-graph verify"));
}

// Removes a directory and everything in it at the end of its scope.
class ScopedDirectory {
 public:
  explicit ScopedDirectory(std::filesystem::path path)
      : path_(std::move(path)) {}
  ~ScopedDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScopedDirectory(const ScopedDirectory&) = delete;
  ScopedDirectory& operator=(const ScopedDirectory&) = delete;

  absl::Status Create() const {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
    if (error) return FileError("remove", path_, error.value());
    return CreateDirectories(path_);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  const std::filesystem::path path_;
};

class OpenedGraphStore final : public RocksDbGraphStore {
 public:
  explicit OpenedGraphStore(std::unique_ptr<GraphDatabase> database)
      : database_(std::move(database)) {}

  // Whether the store holds a graph. DATA_LOSS when it is of another format.
  absl::StatusOr<bool> HasGraph() const;
  absl::Status IngestCopies(const std::filesystem::path& sst_directory);

  absl::Status BulkLoad(const GraphData& data,
                        std::string_view split_digest) override;
  absl::StatusOr<GraphMetadata> Metadata() const override;
  absl::StatusOr<NodeRecord> GetNode(NodeId node) const override;
  absl::StatusOr<std::vector<NodeId>> FindName(
      NodeTypeId type, std::string_view name) const override;
  absl::StatusOr<std::vector<Arc>> GetArcs(NodeId node,
                                           Direction direction) const override;
  absl::StatusOr<GraphData> ReadAll() const override;
  absl::Status ExportSsts(
      const std::filesystem::path& directory) const override;
  absl::StatusOr<GraphVerification> Verify() const override;
  absl::StatusOr<ChangeLog> OpenChangeLog() override;
  absl::StatusOr<CheckpointState> Checkpoint(
      const std::filesystem::path& directory) const override;

 private:
  absl::StatusOr<StoredNode> ReadNode(NodeId node) const;
  absl::StatusOr<std::vector<std::string>> ReadDictionary(
      std::string_view record) const;
  absl::Status ReadNodes(std::vector<NodeRecord>* nodes) const;
  absl::Status ReadLinks(const GraphCatalogue& catalogue,
                         std::vector<Link>* links) const;
  absl::Status ReadWeights(GraphData* data) const;
  // Checks the chain of digests of the log of changes, and applies them.
  absl::Status VerifyLog(const GraphMetadata& metadata,
                         GraphVerification* verified) const;

  const std::unique_ptr<GraphDatabase> database_;
};

absl::StatusOr<bool> OpenedGraphStore::HasGraph() const {
  SLICE_ASSIGN_OR_RETURN(const auto metadata, ReadMetadata(*database_));
  return metadata.has_value();
}

absl::StatusOr<GraphMetadata> OpenedGraphStore::Metadata() const {
  SLICE_ASSIGN_OR_RETURN(auto metadata, ReadMetadata(*database_));
  if (metadata.has_value()) return *std::move(metadata);
  return absl::FailedPreconditionError(absl::StrCat(
      database_->directory().string(), " holds no graph yet; load one first"));
}

absl::Status OpenedGraphStore::BulkLoad(const GraphData& data,
                                        std::string_view split_digest) {
  SLICE_ASSIGN_OR_RETURN(const auto present, ReadMetadata(*database_));
  if (present.has_value()) {
    return absl::FailedPreconditionError(
        absl::StrCat(database_->directory().string(), " holds the graph ",
                     present->graph_digest,
                     " already; choose another directory, or delete this one"));
  }
  SLICE_ASSIGN_OR_RETURN(const auto snapshot, GraphSnapshot::Build(data));
  GraphMetadata metadata;
  metadata.format_version = snapshot->has_weights()
                                ? kWeightedGraphFormatVersion
                                : kGraphFormatVersion;
  metadata.node_count = snapshot->node_count();
  metadata.link_count = snapshot->link_count();
  metadata.graph_digest = GraphDigest(data);
  metadata.split_digest = std::string(split_digest);
  const ScopedDirectory loading(database_->directory() / kLoadingDirectory);
  SLICE_RETURN_IF_ERROR(loading.Create());
  SLICE_RETURN_IF_ERROR(WriteGraphSsts(*snapshot, metadata, loading.path()));
  return database_->Ingest(loading.path(), /*move=*/true);
}

absl::Status OpenedGraphStore::IngestCopies(
    const std::filesystem::path& sst_directory) {
  SLICE_RETURN_IF_ERROR(ReadSstMetadata(sst_directory).status());
  return database_->Ingest(sst_directory, /*move=*/false);
}

absl::StatusOr<StoredNode> OpenedGraphStore::ReadNode(NodeId node) const {
  SLICE_ASSIGN_OR_RETURN(const auto value, database_->Get(GraphFamily::kNode,
                                                          EncodeNodeKey(node)));
  if (!value.has_value()) {
    SLICE_ASSIGN_OR_RETURN(const GraphMetadata metadata, Metadata());
    if (node < metadata.node_count)
      return Malformed(*database_, absl::StrCat("node ", node));
    return absl::NotFoundError(absl::StrCat("node ", node, " is not among the ",
                                            metadata.node_count,
                                            " nodes of the catalogue"));
  }
  StoredNode stored;
  if (!DecodeNode(*value, &stored))
    return Malformed(*database_, absl::StrCat("node ", node));
  return stored;
}

absl::StatusOr<NodeRecord> OpenedGraphStore::GetNode(NodeId node) const {
  SLICE_ASSIGN_OR_RETURN(StoredNode stored, ReadNode(node));
  return std::move(stored.record);
}

absl::StatusOr<std::vector<NodeId>> OpenedGraphStore::FindName(
    NodeTypeId type, std::string_view name) const {
  SLICE_ASSIGN_OR_RETURN(
      const auto value,
      database_->Get(GraphFamily::kName, EncodeNameKey(type, name)));
  std::vector<NodeId> found;
  if (!value.has_value()) {
    SLICE_RETURN_IF_ERROR(Metadata().status());
    return found;
  }
  std::vector<NodeId> candidates;
  if (!DecodeIds(*value, &candidates)) {
    return Malformed(*database_,
                     absl::StrCat("the name \"", std::string(name), "\""));
  }
  for (const NodeId node : candidates) {
    SLICE_ASSIGN_OR_RETURN(const StoredNode stored, ReadNode(node));
    if (stored.record.type == type && stored.record.name == name)
      found.push_back(node);
  }
  return found;
}

absl::StatusOr<std::vector<Arc>> OpenedGraphStore::GetArcs(
    NodeId node, Direction direction) const {
  SLICE_ASSIGN_OR_RETURN(const StoredNode stored, ReadNode(node));
  const uint64_t degree =
      direction == Direction::kOut ? stored.out_degree : stored.in_degree;
  std::vector<Arc> arcs;
  for (uint16_t chunk = 0; arcs.size() < degree; ++chunk) {
    SLICE_ASSIGN_OR_RETURN(
        const auto value,
        database_->Get(GraphFamily::kAdjacency,
                       EncodeAdjacencyKey({node, direction, chunk})));
    const size_t before = arcs.size();
    if (!value.has_value() || !DecodeArcs(*value, direction, &arcs) ||
        arcs.size() == before || arcs.size() > degree) {
      return Malformed(*database_, absl::StrCat("the links of node \"",
                                                stored.record.key, "\""));
    }
  }
  return arcs;
}

absl::StatusOr<std::vector<std::string>> OpenedGraphStore::ReadDictionary(
    std::string_view record) const {
  SLICE_ASSIGN_OR_RETURN(const auto value,
                         database_->Get(GraphFamily::kMeta, record));
  std::vector<std::string> texts;
  if (!value.has_value() || !DecodeDictionary(*value, &texts)) {
    return Malformed(*database_,
                     absl::StrCat("the dictionary ", std::string(record)));
  }
  return texts;
}

absl::Status OpenedGraphStore::ReadNodes(std::vector<NodeRecord>* nodes) const {
  bool whole = true;
  SLICE_RETURN_IF_ERROR(database_->Scan(
      GraphFamily::kNode, [&](std::string_view key, std::string_view value) {
        NodeId node = 0;
        StoredNode stored;
        whole = DecodeNodeKey(key, &node) && node == nodes->size() &&
                DecodeNode(value, &stored);
        if (whole) nodes->push_back(std::move(stored.record));
        return whole;
      }));
  if (whole) return absl::OkStatus();
  return Malformed(*database_, absl::StrCat("node ", nodes->size()));
}

absl::Status OpenedGraphStore::ReadLinks(const GraphCatalogue& catalogue,
                                         std::vector<Link>* links) const {
  bool whole = true;
  AdjacencyKey key;
  std::vector<Arc> arcs;
  SLICE_RETURN_IF_ERROR(database_->Scan(
      GraphFamily::kAdjacency,
      [&](std::string_view bytes, std::string_view value) {
        whole = DecodeAdjacencyKey(bytes, &key) &&
                key.node < catalogue.nodes.size();
        if (!whole || key.direction == Direction::kIn) return whole;
        arcs.clear();
        whole = DecodeArcs(value, key.direction, &arcs);
        for (const Arc& arc : arcs)
          links->push_back({key.node, arc.relation, arc.neighbor});
        return whole;
      }));
  if (whole) return absl::OkStatus();
  return Malformed(*database_, absl::StrCat("the links of node ", key.node));
}

absl::Status OpenedGraphStore::ReadWeights(GraphData* data) const {
  // Links and weights are both in the order of (source, relation, target), so
  // each search can begin where the last one ended.
  auto next = data->links.begin();
  bool whole = true;
  SLICE_RETURN_IF_ERROR(database_->Scan(
      GraphFamily::kEdge, [&](std::string_view key, std::string_view value) {
        Link link;
        float weight = 1;
        whole = DecodeLinkKey(key, &link) && DecodeWeight(value, &weight);
        if (!whole) return false;
        next = std::lower_bound(next, data->links.end(), link);
        whole = next != data->links.end() && *next == link;
        if (!whole) return false;
        data->weights.resize(data->links.size(), 1.0f);
        data->weights[next - data->links.begin()] = weight;
        return true;
      }));
  if (whole) return absl::OkStatus();
  return Malformed(*database_, "a weight");
}

absl::StatusOr<GraphData> OpenedGraphStore::ReadAll() const {
  SLICE_ASSIGN_OR_RETURN(const GraphMetadata metadata, Metadata());
  GraphData data;
  data.links.reserve(metadata.link_count);
  SLICE_ASSIGN_OR_RETURN(data.catalogue.node_types,
                         ReadDictionary(kNodeTypesRecord));
  SLICE_ASSIGN_OR_RETURN(data.catalogue.relations,
                         ReadDictionary(kRelationsRecord));
  SLICE_RETURN_IF_ERROR(ReadNodes(&data.catalogue.nodes));
  SLICE_RETURN_IF_ERROR(ReadLinks(data.catalogue, &data.links));
  if (data.catalogue.nodes.size() != metadata.node_count ||
      data.links.size() != metadata.link_count) {
    return absl::DataLossError(absl::StrCat(
        database_->directory().string(), " holds ", data.catalogue.nodes.size(),
        " nodes and ", data.links.size(), " links, but its metadata says ",
        metadata.node_count, " and ", metadata.link_count,
        "; run slice-graph verify"));
  }
  SLICE_RETURN_IF_ERROR(ReadWeights(&data));
  return data;
}

absl::Status OpenedGraphStore::ExportSsts(
    const std::filesystem::path& directory) const {
  SLICE_RETURN_IF_ERROR(Metadata().status());
  SLICE_RETURN_IF_ERROR(CreateDirectories(directory));
  std::error_code error;
  if (!std::filesystem::is_empty(directory, error) || error) {
    return absl::FailedPreconditionError(absl::StrCat(
        "cannot export into ", directory.string(),
        ": the directory is not empty; choose an empty or a new one"));
  }
  return CopyDatabaseToSsts(*database_, directory);
}

absl::StatusOr<GraphVerification> OpenedGraphStore::Verify() const {
  SLICE_ASSIGN_OR_RETURN(const GraphMetadata metadata, Metadata());
  GraphVerification verified = VerifyGraph(*database_, metadata);
  const absl::Status log = VerifyLog(metadata, &verified);
  if (!log.ok()) {
    ++verified.problem_count;
    verified.problems.emplace_back(log.message());
  }
  return verified;
}

absl::Status OpenedGraphStore::VerifyLog(const GraphMetadata& metadata,
                                         GraphVerification* verified) const {
  SLICE_ASSIGN_OR_RETURN(const ChangeLog log,
                         ChangeLog::Open(database_.get(), metadata));
  verified->graph_version = log.last_version();
  verified->state_digest = log.state_digest();
  if (verified->problem_count > 0) {  // then there may be no base
    return log.Replay(
        [](uint64_t, const GraphChanges&) { return absl::OkStatus(); });
  }
  SLICE_ASSIGN_OR_RETURN(auto base, BuildSnapshot());
  return log.GraphAt(std::move(base)).status();
}

absl::StatusOr<ChangeLog> OpenedGraphStore::OpenChangeLog() {
  SLICE_ASSIGN_OR_RETURN(const GraphMetadata metadata, Metadata());
  return ChangeLog::Open(database_.get(), metadata);
}

absl::StatusOr<CheckpointState> OpenedGraphStore::Checkpoint(
    const std::filesystem::path& directory) const {
  SLICE_RETURN_IF_ERROR(Metadata().status());
  SLICE_RETURN_IF_ERROR(CheckpointDatabase(*database_, directory));
  RocksDbGraphStoreOptions options;
  options.directory = directory;
  options.create_if_missing = false;
  options.read_only = true;
  SLICE_ASSIGN_OR_RETURN(const auto copy, RocksDbGraphStore::Open(options));
  SLICE_ASSIGN_OR_RETURN(const GraphMetadata metadata, copy->Metadata());
  SLICE_ASSIGN_OR_RETURN(const ChangeLog log, copy->OpenChangeLog());
  return CheckpointState{metadata.graph_digest, log.last_version(),
                         log.state_digest()};
}

absl::StatusOr<std::unique_ptr<OpenedGraphStore>> OpenStore(
    const RocksDbGraphStoreOptions& options) {
  SLICE_ASSIGN_OR_RETURN(auto database, GraphDatabase::Open(options));
  if (!options.read_only) {
    std::error_code ignored;
    std::filesystem::remove_all(options.directory / kLoadingDirectory, ignored);
  }
  auto store = std::make_unique<OpenedGraphStore>(std::move(database));
  SLICE_RETURN_IF_ERROR(store->HasGraph().status());
  return store;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const GraphSnapshot>> RocksDbGraphStore::GraphAt(
    std::optional<uint64_t> version) {
  SLICE_ASSIGN_OR_RETURN(const ChangeLog log, OpenChangeLog());
  SLICE_ASSIGN_OR_RETURN(auto base, BuildSnapshot());
  return log.GraphAt(std::move(base), version);
}

absl::StatusOr<std::unique_ptr<RocksDbGraphStore>> RocksDbGraphStore::Open(
    const RocksDbGraphStoreOptions& options) {
  return OpenStore(options);
}

absl::StatusOr<std::unique_ptr<RocksDbGraphStore>>
RocksDbGraphStore::OpenOrIngest(const RocksDbGraphStoreOptions& options,
                                const std::filesystem::path& sst_directory) {
  SLICE_ASSIGN_OR_RETURN(auto store, OpenStore(options));
  SLICE_ASSIGN_OR_RETURN(const bool has_graph, store->HasGraph());
  if (!has_graph) SLICE_RETURN_IF_ERROR(store->IngestCopies(sst_directory));
  return store;
}

}  // namespace slice
