// The commands of slice-graph that make and write graphs.
#include <unistd.h>

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/files.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "graphstore/command_output.h"
#include "graphstore/graph_commands.h"
#include "graphstore/graph_export.h"
#include "graphstore/rocksdb_graph_store.h"
#include "graphstore/terminal_text.h"
#include "nlohmann/json.hpp"

namespace slice {
namespace {

using Json = nlohmann::ordered_json;

// The graph of a store, or of a bundle by way of a store that goes again.
absl::StatusOr<GraphData> ReadGraphToExport(const ExportCommand& command) {
  std::error_code error;
  if (command.bundle.empty()) {
    SLICE_ASSIGN_OR_RETURN(const auto store, OpenGraphToRead(command.data_dir));
    SLICE_RETURN_IF_ERROR(CreateDirectories(command.out_dir));
    return store->ReadAll();
  }
  if (!std::filesystem::is_directory(command.bundle / "graph", error)) {
    return absl::NotFoundError(absl::StrCat(
        command.bundle.string(), " is no bundle with a graph: there is no ",
        (command.bundle / "graph").string()));
  }
  const std::filesystem::path temporary =
      command.out_dir / absl::StrCat(".graph-", int64_t{::getpid()});
  const auto read = [&]() -> absl::StatusOr<GraphData> {
    SLICE_ASSIGN_OR_RETURN(const auto store, RocksDbGraphStore::OpenOrIngest(
                                                 {.directory = temporary},
                                                 command.bundle / "graph"));
    return store->ReadAll();
  };
  auto data = read();
  std::filesystem::remove_all(temporary, error);
  return data;
}

Json ToJson(const EdgeListImportSummary& summary) {
  return {{"lines", summary.lines},
          {"duplicates", summary.duplicates},
          {"self_loops", summary.self_loops},
          {"weighted", summary.weighted},
          {"replaced_control_bytes", summary.replaced_control_bytes},
          {"held_out_links", summary.held_out_links},
          {"held_out_duplicates", summary.held_out_duplicates},
          {"held_out_pairs_linked", summary.held_out_pairs_linked},
          {"held_out_only_nodes", summary.held_out_only_nodes},
          {"skipped", summary.skipped}};
}

void WriteImportTable(const ImportedGraph& graph, const GraphMetadata& metadata,
                      std::ostream& out) {
  const EdgeListImportSummary& summary = graph.summary;
  std::vector<std::vector<std::string>> rows = {{">", ""}};
  rows.push_back({FormatCount(metadata.node_count), "nodes"});
  rows.push_back({FormatCount(metadata.link_count), "links"});
  rows.push_back(
      {FormatCount(graph.data.catalogue.relations.size()), "relations"});
  rows.push_back(
      {FormatCount(summary.duplicates), "repeated links, collapsed"});
  rows.push_back({FormatCount(summary.self_loops), "self loops, kept"});
  if (summary.weighted > 0) {
    rows.push_back(
        {FormatCount(summary.weighted), "links of a weight other than 1"});
  }
  if (!graph.held_out.empty()) {
    rows.push_back({FormatCount(summary.held_out_links),
                    "held-out links, none of them in training"});
    rows.push_back({FormatCount(summary.held_out_duplicates),
                    "repeated rows of held-out files, kept"});
    rows.push_back({FormatCount(summary.held_out_pairs_linked),
                    "of these join nodes that training links by another "
                    "relation or direction"});
    rows.push_back({FormatCount(summary.held_out_only_nodes),
                    "nodes named in held-out files without a training link"});
  }
  const std::string table = FormatTable(rows, 120);
  out << table.substr(table.find('\n') + 1);
  out << "  graph digest " << metadata.graph_digest << "\n";
}

// Opens a new store and fills it; what it made is removed when that fails.
absl::StatusOr<GraphMetadata> StoreImported(
    const ImportedGraph& graph, const std::filesystem::path& data_dir) {
  std::error_code error;
  const bool existed = std::filesystem::exists(data_dir, error);
  const auto fill = [&]() -> absl::StatusOr<GraphMetadata> {
    SLICE_ASSIGN_OR_RETURN(const auto store,
                           RocksDbGraphStore::Open({.directory = data_dir}));
    SLICE_RETURN_IF_ERROR(store->BulkLoad(graph.data, graph.split_digest));
    return store->Metadata();
  };
  auto metadata = fill();
  if (!metadata.ok() && !existed) std::filesystem::remove_all(data_dir, error);
  return metadata;
}

}  // namespace

absl::Status RunImport(const ImportCommand& command, std::ostream& out,
                       std::ostream& errors) {
  const absl::Time start = absl::Now();
  EdgeListImportOptions edge_list = command.edge_list;
  SLICE_RETURN_IF_ERROR(
      ApplyColumns(command.columns, command.held_out_columns, &edge_list));
  SLICE_ASSIGN_OR_RETURN(const ImportedGraph graph, ImportEdgeList(edge_list));
  SLICE_ASSIGN_OR_RETURN(const GraphMetadata metadata,
                         StoreImported(graph, command.data_dir));
  for (const std::string& skipped : graph.summary.skipped)
    errors << "skipped " << skipped << "\n";
  if (graph.summary.replaced_control_bytes > 0) {
    errors << "warning: " << FormatCount(graph.summary.replaced_control_bytes)
           << " control characters in names were replaced by U+FFFD\n";
  }
  if (command.json) {
    Json json = ToJson(graph.summary);
    json["nodes"] = metadata.node_count;
    json["links"] = metadata.link_count;
    json["relations"] = graph.data.catalogue.relations.size();
    json["graph_digest"] = metadata.graph_digest;
    json["split_digest"] = metadata.split_digest;
    out << DumpJson(json);
    return absl::OkStatus();
  }
  out << "imported into " << command.data_dir.string() << " in "
      << FormatSeconds(absl::ToDoubleSeconds(absl::Now() - start)) << "\n";
  WriteImportTable(graph, metadata, out);
  return absl::OkStatus();
}

absl::Status RunExport(const ExportCommand& command, std::ostream& out) {
  if (command.format == "sst") {
    SLICE_ASSIGN_OR_RETURN(const auto store, OpenGraphToRead(command.data_dir));
    SLICE_RETURN_IF_ERROR(store->ExportSsts(command.out_dir));
    out << "exported to " << command.out_dir.string() << "\n";
    return absl::OkStatus();
  }
  SLICE_ASSIGN_OR_RETURN(GraphData data, ReadGraphToExport(command));
  const std::string ending =
      command.compression.empty() ? "" : "." + command.compression;
  const GraphTextFiles files{command.out_dir / ("links.tsv" + ending),
                             command.out_dir / ("nodes.tsv" + ending)};
  const bool weighted = !data.weights.empty();
  const std::string counts =
      absl::StrCat(FormatCount(data.catalogue.nodes.size()), " nodes and ",
                   FormatCount(data.links.size()), " links");
  SLICE_RETURN_IF_ERROR(ExportGraphText(std::move(data), files));
  out << "exported " << counts << "; to import them:\n  slice-graph import"
      << " --train " << files.links.string() << " --nodes "
      << files.nodes.string()
      << (weighted ? " --columns relation,source,target,weight" : "")
      << " --data-dir DIR\n";
  return absl::OkStatus();
}

absl::Status RunGenerate(const GenerateCommand& command, std::ostream& out) {
  const absl::Time start = absl::Now();
  SLICE_ASSIGN_OR_RETURN(const GeneratorSummary made,
                         GenerateGraph(command.generator));
  if (command.json) {
    out << DumpJson({{"train_links", made.train_links},
                     {"valid_links", made.valid_links},
                     {"valid_negatives", made.valid_negatives},
                     {"test_links", made.test_links},
                     {"test_negatives", made.test_negatives}});
    return absl::OkStatus();
  }
  const auto links = [](uint64_t positives, uint64_t negatives) {
    return absl::StrCat(FormatCount(positives), " links labelled 1, ",
                        FormatCount(negatives), " labelled 0");
  };
  out << "generated in "
      << FormatSeconds(absl::ToDoubleSeconds(absl::Now() - start)) << "\n"
      << FormatTable(
             {{"file", "holds"},
              {made.train.string(), FormatCount(made.train_links) + " links"},
              {made.valid.string(),
               links(made.valid_links, made.valid_negatives)},
              {made.test.string(), links(made.test_links, made.test_negatives)},
              {made.nodes.string(),
               FormatCount(command.generator.nodes) + " nodes"}},
             120);
  return absl::OkStatus();
}

}  // namespace slice
