// There are two formats. For `tsv`, the whole graph is read and written as
// links.tsv and nodes.tsv. The graph of a bundle is first copied into a
// temporary store in the output directory, which is removed afterwards. For
// `sst`, the store itself writes its records as sorted files.
#include "graphstore/commands/export_command.h"

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/status_macros.h"
#include "common/thousands.h"
#include "graphstore/commands/graph_flags.h"
#include "graphstore/graph_export.h"
#include "graphstore/rocksdb_graph_store.h"
#include "graphstore/store_directory.h"

namespace slice {
namespace {

struct ExportOptions {
  std::filesystem::path data_dir;
  std::filesystem::path bundle;  // instead of data_dir
  std::filesystem::path out_dir;
  std::string format = "tsv";  // or "sst"
  std::string compression;     // of tsv: "gz", "zst" or none
  bool force = false;          // overwrite the tsv files
  std::optional<uint64_t> version;
};

// Reads the graph of a store; that of a bundle through a temporary store.
absl::StatusOr<GraphData> ReadGraphToExport(const ExportOptions& options) {
  std::error_code error;
  if (options.bundle.empty()) {
    SLICE_ASSIGN_OR_RETURN(const auto store, OpenGraphToRead(options.data_dir));
    SLICE_RETURN_IF_ERROR(CreateDirectories(options.out_dir));
    SLICE_ASSIGN_OR_RETURN(const auto graph, store->GraphAt(options.version));
    return WithoutRemovedNodes(*graph);
  }
  if (!std::filesystem::is_directory(options.bundle / "graph", error)) {
    return absl::NotFoundError(absl::StrCat(
        options.bundle.string(), " is no bundle with a graph: there is no ",
        (options.bundle / "graph").string()));
  }
  const std::filesystem::path temporary =
      options.out_dir / absl::StrCat(".graph-", int64_t{::getpid()});
  const auto read = [&]() -> absl::StatusOr<GraphData> {
    SLICE_ASSIGN_OR_RETURN(const auto store, RocksDbGraphStore::OpenOrIngest(
                                                 {.directory = temporary},
                                                 options.bundle / "graph"));
    return store->ReadAll();
  };
  auto data = read();
  std::filesystem::remove_all(temporary, error);
  return data;
}

// Writes the files to out_dir: for tsv links.tsv and nodes.tsv, which import
// takes; for sst the sorted files that a bundle has.
absl::Status RunExport(const ExportOptions& options, std::ostream& out) {
  if (options.format == "sst") {
    SLICE_ASSIGN_OR_RETURN(const auto store, OpenGraphToRead(options.data_dir));
    SLICE_RETURN_IF_ERROR(store->ExportSsts(options.out_dir));
    out << "exported to " << options.out_dir.string() << "\n";
    return absl::OkStatus();
  }
  const std::string ending =
      options.compression.empty() ? "" : "." + options.compression;
  const GraphTextFiles files{options.out_dir / ("links.tsv" + ending),
                             options.out_dir / ("nodes.tsv" + ending)};
  SLICE_RETURN_IF_ERROR(
      CheckNotThere({files.links, files.nodes}, options.force));
  SLICE_ASSIGN_OR_RETURN(GraphData data, ReadGraphToExport(options));
  const bool weighted = !data.weights.empty();
  const std::string counts =
      absl::StrCat(FormatThousands(data.catalogue.nodes.size()), " nodes and ",
                   FormatThousands(data.links.size()), " links");
  SLICE_RETURN_IF_ERROR(ExportGraphText(std::move(data), files));
  out << "exported " << counts << "; to import them:\n  slice-graph import"
      << " --train " << files.links.string() << " --nodes "
      << files.nodes.string() << " --columns relation,source,target"
      << (weighted ? ",weight" : "") << " --format no-header --data-dir DIR\n";
  return absl::OkStatus();
}

// Checks which flags are given together.
absl::Status CheckExport(const ExportOptions& options) {
  if (options.data_dir.empty() && options.bundle.empty())
    return absl::InvalidArgumentError("--data-dir or --bundle is required");
  if (options.format == "sst" &&
      (!options.bundle.empty() || !options.compression.empty())) {
    return absl::InvalidArgumentError(
        "--format sst cannot be combined with --bundle or --compress");
  }
  if (options.version && (options.format == "sst" || !options.bundle.empty())) {
    return absl::InvalidArgumentError(
        "--graph-version needs --data-dir and --format tsv");
  }
  return absl::OkStatus();
}

}  // namespace

StatusRun DefineExport(CommandFlags& flags) {
  const auto options = std::make_shared<ExportOptions>();
  const Flag data_dir = AddDataDir(flags, options->data_dir);
  flags.Add("--bundle", options->bundle, "the graph of a bundle instead")
      .Type("DIR")
      .Excludes(data_dir);
  flags.Add("--out", options->out_dir, "directory of the files")
      .Type("DIR")
      .Required();
  flags
      .Add("--format", options->format,
           "tsv: links.tsv and nodes.tsv; sst: sorted files as they go into a "
           "bundle, into an empty directory, without changes since the import")
      .OneOf({"tsv", "sst"});
  flags.Add("--compress", options->compression, "compresses the tsv files")
      .OneOf({"gz", "zst"});
  AddGraphVersion(flags, options->version);
  AddForce(flags, options->force);
  flags.Check([options] { return CheckExport(*options); });
  return [options](const CommandStreams& streams) {
    return RunExport(*options, streams.out);
  };
}

}  // namespace slice
