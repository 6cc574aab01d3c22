// Three steps: read and check the files (ImportEdgeList), fill a new store, and
// print what was read. Nothing is left behind on failure: a directory that the
// command made is removed, and a store that has a graph already is refused.
#include "graphstore/commands/import_command.h"

#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "common/thousands.h"
#include "graphstore/command_output.h"
#include "graphstore/commands/graph_flags.h"
#include "graphstore/edge_list_importer.h"
#include "graphstore/link_file_flags.h"
#include "graphstore/rocksdb_graph_store.h"
#include "graphstore/terminal_text.h"
#include "nlohmann/json.hpp"

namespace slice {
namespace {

using Json = nlohmann::ordered_json;

struct ImportOptions {
  EdgeListImportOptions edge_list;
  LinkFileTexts link_files;
  std::filesystem::path data_dir;
  bool json = false;
};

Json ToJson(const EdgeListImportSummary& summary) {
  return {{"lines", summary.lines},
          {"duplicates", summary.duplicates},
          {"self_loops", summary.self_loops},
          {"weighted", summary.weighted},
          {"replaced_control_bytes", summary.replaced_control_bytes},
          {"held_out_links", summary.held_out_links},
          {"held_out_duplicates", summary.held_out_duplicates},
          {"held_out_shared", summary.held_out_shared},
          {"held_out_pairs_linked", summary.held_out_pairs_linked},
          {"held_out_only_nodes", summary.held_out_only_nodes},
          {"recognised", summary.recognised},
          {"skipped", summary.skipped}};
}

void WriteImportTable(const ImportedGraph& graph, const GraphMetadata& metadata,
                      std::ostream& out) {
  const EdgeListImportSummary& summary = graph.summary;
  std::vector<std::vector<std::string>> rows = {{">", ""}};
  rows.push_back({FormatThousands(metadata.node_count), "nodes"});
  rows.push_back({FormatThousands(metadata.link_count), "links"});
  rows.push_back(
      {FormatThousands(graph.data.catalogue.relations.size()), "relations"});
  rows.push_back(
      {FormatThousands(summary.duplicates), "repeated links, collapsed"});
  rows.push_back({FormatThousands(summary.self_loops), "self loops, kept"});
  if (summary.weighted > 0) {
    rows.push_back(
        {FormatThousands(summary.weighted), "links of a weight other than 1"});
  }
  if (!graph.held_out.empty()) {
    rows.push_back({FormatThousands(summary.held_out_links),
                    "held-out links, none of them in training"});
    rows.push_back({FormatThousands(summary.held_out_duplicates),
                    "repeated rows of held-out files, kept"});
    rows.push_back({FormatThousands(summary.held_out_shared),
                    "held-out links that stand in two of the files"});
    rows.push_back({FormatThousands(summary.held_out_pairs_linked),
                    "held-out links between nodes that training links by "
                    "another relation or direction"});
    rows.push_back({FormatThousands(summary.held_out_only_nodes),
                    "nodes that held-out files name and that have no training "
                    "link"});
  }
  const std::string table = FormatTable(rows, 120);
  out << table.substr(table.find('\n') + 1);
  out << "  graph digest " << metadata.graph_digest << "\n";
}

// Opens a new store and fills it. When that fails, removes what it made.
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

// Reads the files and fills a new store. Leaves nothing behind on failure.
absl::Status RunImport(const ImportOptions& options,
                       const CommandStreams& streams) {
  const absl::Time start = absl::Now();
  EdgeListImportOptions edge_list = options.edge_list;
  SLICE_RETURN_IF_ERROR(ApplyLinkFileTexts(options.link_files, &edge_list));
  SLICE_ASSIGN_OR_RETURN(const ImportedGraph graph, ImportEdgeList(edge_list));
  SLICE_ASSIGN_OR_RETURN(const GraphMetadata metadata,
                         StoreImported(graph, options.data_dir));
  for (const std::string& recognised : graph.summary.recognised)
    streams.errors << "read " << recognised << "\n";
  for (const std::string& skipped : graph.summary.skipped)
    streams.errors << "skipped " << skipped << "\n";
  if (graph.summary.replaced_control_bytes > 0) {
    streams.errors << "warning: "
                   << FormatThousands(graph.summary.replaced_control_bytes)
                   << " control characters in names were replaced by U+FFFD\n";
  }
  if (options.json) {
    Json json = ToJson(graph.summary);
    json["nodes"] = metadata.node_count;
    json["links"] = metadata.link_count;
    json["relations"] = graph.data.catalogue.relations.size();
    json["graph_digest"] = metadata.graph_digest;
    json["split_digest"] = metadata.split_digest;
    streams.out << DumpJson(json);
    return absl::OkStatus();
  }
  streams.out << "imported into " << options.data_dir.string() << " in "
              << FormatSeconds(absl::ToDoubleSeconds(absl::Now() - start))
              << "\n";
  WriteImportTable(graph, metadata, streams.out);
  return absl::OkStatus();
}

}  // namespace

StatusRun DefineImport(CommandFlags& flags) {
  const auto options = std::make_shared<ImportOptions>();
  EdgeListImportOptions& edge_list = options->edge_list;
  flags
      .Add("--train", edge_list.train,
           "links of the graph: relation source target")
      .Type("FILE")
      .Required();
  flags
      .Add("--held-out", edge_list.held_out,
           "valid and test links, checked and not loaded; may be repeated")
      .Type("FILE");
  flags
      .Add("--nodes", edge_list.nodes,
           "nodes: key, type and name, separated by tabs or as in the header")
      .Type("FILE");
  AddLinkFileFlags(flags, options->link_files);
  AddHeldOutColumns(flags, options->link_files);
  flags.AddSwitch("--strict-pairs", edge_list.strict_pairs,
                  "refuse held-out pairs that training links in any way");
  flags
      .Add("--max-errors", edge_list.max_errors,
           "malformed lines to skip and report before failing")
      .Between(0, std::numeric_limits<double>::infinity());
  AddDataDir(flags, options->data_dir).Required();
  AddJson(flags, options->json);
  return [options](const CommandStreams& streams) {
    return RunImport(*options, streams);
  };
}

}  // namespace slice
