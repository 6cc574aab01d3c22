#include "tests/fuzz/fuzz_targets.h"

#include <cstdlib>
#include <iostream>
#include <memory>
#include <utility>

#include "client/link_file.h"
#include "graphstore/edge_list_import_options.h"
#include "graphstore/edge_list_importer.h"
#include "graphstore/graph_records.h"
#include "model/bundle_manifest.h"
#include "model/manifest_check.h"
#include "server/rpc/page_token.h"
#include "tests/fuzz/change_targets.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/temp_directory.h"
#include "trainer/embedding/embedding_file.h"

namespace slice {
namespace {

// The bytes as a file of this name; it is there until the next one.
std::filesystem::path AsFile(const char* name, std::string_view bytes) {
  static const TempDirectory* const directory = new TempDirectory;
  return directory->Write(name, bytes);
}

void ReadEdgeList(std::string_view bytes) {
  EdgeListImportOptions options;
  options.train = AsFile("links.tsv", bytes);
  options.max_nodes = 10000;
  const auto imported = ImportEdgeList(options);
  if (!imported.ok()) return;
  for (const Link& link : imported->data.links) {
    Require(link.source < imported->data.catalogue.nodes.size() &&
                link.target < imported->data.catalogue.nodes.size() &&
                link.relation < imported->data.catalogue.relations.size(),
            "a link is between nodes of the catalogue");
  }
}

void ReadNodeFile(std::string_view bytes) {
  EdgeListImportOptions options;
  options.train = AsFile("links.tsv", "likes\ta\tb\n");
  options.nodes = AsFile("nodes.tsv", bytes);
  options.max_nodes = 10000;
  const auto imported = ImportEdgeList(options);
  if (!imported.ok()) return;
  const GraphCatalogue& catalogue = imported->data.catalogue;
  for (const NodeRecord& node : catalogue.nodes) {
    Require(node.type < catalogue.node_types.size(),
            "a node has a type of the catalogue");
  }
}

void ReadManifest(std::string_view bytes) {
  const auto manifest = ManifestFromJson(bytes);
  if (manifest.ok()) CheckManifest(*manifest).IgnoreError();
}

void ReadRecords(std::string_view bytes) {
  NodeId node = 0;
  AdjacencyKey key;
  Link link;
  float weight = 0;
  GraphMetadata metadata;
  std::vector<std::string> texts;
  StoredNode stored;
  std::vector<NodeId> ids;
  std::vector<Arc> arcs;
  if (DecodeNodeKey(bytes, &node)) {
    Require(EncodeNodeKey(node) == bytes, "a node key is read as written");
  }
  DecodeAdjacencyKey(bytes, &key);
  if (DecodeLinkKey(bytes, &link)) {
    Require(EncodeLinkKey(link) == bytes, "a link key is read as written");
  }
  DecodeWeight(bytes, &weight);
  DecodeMetadata(bytes, &metadata);
  DecodeDictionary(bytes, &texts);
  DecodeNode(bytes, &stored);
  DecodeIds(bytes, &ids);
  DecodeArcs(bytes, Direction::kOut, &arcs);
}

template <const char* kName>
void ReadEmbeddings(std::string_view bytes) {
  static const std::shared_ptr<const GraphSnapshot> snapshot = [] {
    GraphData data;
    data.catalogue.node_types = {"x"};
    data.catalogue.relations = {"link"};
    data.catalogue.nodes = {{"a", "", 0}, {"b", "", 0}, {"c", "", 0}};
    data.links = {{0, 0, 1}};
    return BuildSnapshotOrDie(data);
  }();
  EmbeddingFileOptions options;
  options.path = AsFile(kName, bytes);
  options.fill_missing = true;
  const auto embeddings = ReadEmbeddingFile(options, *snapshot);
  if (!embeddings.ok()) return;
  Require(embeddings->values.size() == size_t{3} * embeddings->dim,
          "a row for each node");
}
constexpr char kTextEmbeddings[] = "embeddings.txt";
constexpr char kNpyEmbeddings[] = "embeddings.npy";

void ReadLinkFile(std::string_view bytes) {
  const auto links = LinkFile::Parse("links", std::string(bytes));
  if (!links.ok()) return;
  for (const LinkFile::Line& line : links->lines()) {
    Require(
        !line.relation.empty() && !line.source.empty() && !line.target.empty(),
        "a line has three columns");
  }
}

void ReadPageToken(std::string_view bytes) {
  const auto position = DecodePageToken(7, bytes);
  if (!position.ok() || bytes.empty()) return;
  Require(EncodePageToken(7, *position).size() == bytes.size(),
          "a token has the length of one");
}

std::string NpySeed() {
  std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 255);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header + std::string(24, '\x3f');
}

constexpr char kManifestSeed[] = R"({
  "format_version": 1, "contract_version": 1, "bundle_id": "0123456789abcdef",
  "preset": "default", "created": "2026-01-01T00:00:00Z", "members": [
    {"path": "model.pt", "bytes": 12, "sha256": "00"}],
  "context": {"strategy": "paths", "max_nodes": 12}, "seed": 1})";

std::vector<FuzzTarget> OtherTargets() {
  return {
      {"edge_list",
       {"likes\ta\tb\nlikes\tb\tc\n", "knows a b\n# no\n\nknows b a\n"},
       ReadEdgeList},
      {"node_file",
       {"key\ttype\tname\na\tperson\tAnna\nb\tperson\tBert\n", "a\tx\n"},
       ReadNodeFile},
      {"manifest", {kManifestSeed, "{}"}, ReadManifest},
      {"graph_records",
       {EncodeNodeKey(7), EncodeLinkKey({1, 2, 3}),
        EncodeAdjacencyKey({5, Direction::kIn, 2}), EncodeWeight(1.5f),
        EncodeDictionary({"likes", "knows"}),
        EncodeNode({{"key", "name", 1}, 3, 4}), EncodeIds({1, 5, 1000000})},
       ReadRecords},
      {"text_embeddings",
       {"3 2\na 1 2\nb 3 4\nc 5 6\n", "a 1 2\nb 1e3 -4\n"},
       ReadEmbeddings<kTextEmbeddings>},
      {"npy_embeddings", {NpySeed()}, ReadEmbeddings<kNpyEmbeddings>},
      {"link_file",
       {"likes\ta\tb\n", "likes a b 1\n#\nlikes b c 0\r\n"},
       ReadLinkFile},
      {"page_token", {EncodePageToken(7, 1000), ""}, ReadPageToken},
  };
}

}  // namespace

void Require(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "broken promise: " << what << std::endl;
  std::abort();
}

const std::vector<FuzzTarget>& FuzzTargets() {
  static const auto* const targets = [] {
    auto all = new std::vector<FuzzTarget>(OtherTargets());
    for (FuzzTarget& target : ChangeTargets())
      all->push_back(std::move(target));
    return all;
  }();
  return *targets;
}

}  // namespace slice
