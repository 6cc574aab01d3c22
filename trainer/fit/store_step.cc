// The store is opened beside a server that may be writing to it: what is read
// is the graph as it was then, with the log of its changes. The log says which
// version added a link.
#include "trainer/fit/store_step.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "common/table/text_output.h"
#include "common/thousands.h"
#include "graphstore/graph_export.h"
#include "graphstore/link_arrivals.h"
#include "graphstore/store_directory.h"
#include "graphstore/tab_fields.h"
#include "model/bundle_manifest.h"
#include "trainer/learning/training_links.h"

namespace slice {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr char kLinks[] = "store/links.tsv";
constexpr char kNodes[] = "store/nodes.tsv";
// Increase this when the same graph comes to be written in another way.
constexpr int kVersion = 2;

struct OrderedLink {
  uint64_t version = 0;  // that added it
  uint64_t hash = 0;     // of its keys
  Link link;

  bool operator<(const OrderedLink& other) const {
    return std::tie(version, hash, link) <
           std::tie(other.version, other.hash, other.link);
  }
};

std::vector<OrderedLink> OrderLinks(const GraphSnapshot& graph,
                                    const LinkArrivals& arrivals) {
  std::vector<uint64_t> hashes;
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    hashes.push_back(HashBytes(graph.Key(node)));
  }
  std::vector<OrderedLink> ordered;
  for (const Link& link : AllLinks(graph)) {
    const uint64_t hash =
        CombineHash(CombineHash(hashes[link.source], hashes[link.target]),
                    HashBytes(graph.RelationName(link.relation)));
    ordered.push_back({arrivals.VersionOf(link), hash, link});
  }
  std::sort(ordered.begin(), ordered.end());
  return ordered;
}

// Writes columns relation, source, target and, if there are weights, weight.
absl::Status WriteLinks(const GraphSnapshot& graph,
                        const std::vector<OrderedLink>& links,
                        const fs::path& path) {
  SLICE_ASSIGN_OR_RETURN(const auto out, TextOutput::Create(path));
  std::string line;
  for (const OrderedLink& ordered : links) {
    const Link& link = ordered.link;
    line.clear();
    AppendTabFields(
        std::array<std::string_view, 3>{graph.RelationName(link.relation),
                                        graph.Key(link.source),
                                        graph.Key(link.target)},
        /*quote_all=*/false, &line);
    if (graph.has_weights()) {
      line.push_back('\t');
      AppendFloat(graph.WeightOf(link).value_or(1), &line);
    }
    out->Append(line + "\n");
  }
  SLICE_RETURN_IF_ERROR(out->status());
  return out->Commit();
}

// The store of --from-store. Of a server that keeps several graphs, it is the
// one that the bundle of --warm-start is served on.
absl::StatusOr<fs::path> StoreDirectory(const FitOptions& options) {
  const fs::path graphs = options.from_store / "graphs";
  std::error_code error;
  if (options.warm_start.empty() || !fs::is_directory(graphs, error)) {
    return options.from_store;
  }
  SLICE_ASSIGN_OR_RETURN(const std::string json,
                         ReadFile(options.warm_start / "MANIFEST.json"));
  SLICE_ASSIGN_OR_RETURN(const BundleManifest manifest, ManifestFromJson(json));
  return graphs / (manifest.live_graph ? manifest.live_graph->graph_digest
                                       : manifest.graph_digest);
}

uint64_t CountNewer(const std::vector<OrderedLink>& links, uint64_t base) {
  return static_cast<uint64_t>(std::count_if(
      links.begin(), links.end(),
      [base](const OrderedLink& link) { return link.version > base; }));
}

}  // namespace

absl::StatusOr<StoreStep> StoreStep::Open(const FitOptions& options) {
  SLICE_ASSIGN_OR_RETURN(const fs::path directory, StoreDirectory(options));
  SLICE_ASSIGN_OR_RETURN(auto store, OpenGraphToRead(directory));
  SLICE_ASSIGN_OR_RETURN(const GraphMetadata base, store->Metadata());
  StoreStep step(options, std::move(store));
  SLICE_ASSIGN_OR_RETURN(const ChangeLog log, step.store_->OpenChangeLog());
  step.origin_ = {base.graph_digest,
                  options.graph_version.value_or(log.last_version())};
  SLICE_ASSIGN_OR_RETURN(step.state_digest_,
                         log.DigestAt(step.origin_.graph_version));
  return step;
}

StoreStep::StoreStep(const FitOptions& options,
                     std::unique_ptr<RocksDbGraphStore> store)
    : options_(&options), store_(std::move(store)) {}

absl::StatusOr<StepFingerprint> StoreStep::Fingerprint() const {
  return MakeStepFingerprint(
      kName, {{"the version of the step store", kVersion},
              {"the graph of --from-store", origin_.graph_digest},
              {"the version of the store", origin_.graph_version},
              {"the state of the store", state_digest_}});
}

absl::StatusOr<Json> StoreStep::Run() const {
  SLICE_ASSIGN_OR_RETURN(const ChangeLog log, store_->OpenChangeLog());
  SLICE_ASSIGN_OR_RETURN(const auto base, store_->BuildSnapshot());
  SLICE_ASSIGN_OR_RETURN(const LinkArrivals arrivals,
                         LinkArrivals::Of(log, *base, origin_.graph_version));
  SLICE_ASSIGN_OR_RETURN(const auto graph,
                         log.GraphAt(base, origin_.graph_version));
  const std::vector<OrderedLink> links = OrderLinks(*graph, arrivals);
  SLICE_RETURN_IF_ERROR(
      CreateDirectories(options_->WorkFile(kLinks).parent_path()));
  SLICE_RETURN_IF_ERROR(WriteLinks(*graph, links, options_->WorkFile(kLinks)));
  SLICE_RETURN_IF_ERROR(
      ExportNodeText(graph->Catalogue(), options_->WorkFile(kNodes)));
  return Json{
      {"has_weights", graph->has_weights()},
      {"relations", graph->relations()},
      {"node_types", graph->node_types()},
      {"description",
       absl::StrCat("the graph of a store at version ", origin_.graph_version,
                    ": ", FormatThousands(links.size()), " links, ",
                    FormatThousands(CountNewer(links, base->graph_version())),
                    " of them added since it was loaded")}};
}

absl::StatusOr<StoreFiles> StoreStep::Load(const Json& record) const {
  StoreFiles files;
  files.links = options_->WorkFile(kLinks);
  files.nodes = options_->WorkFile(kNodes);
  files.has_weights = record["has_weights"].get<bool>();
  files.graph = {origin_, record["relations"].get<std::vector<std::string>>(),
                 record["node_types"].get<std::vector<std::string>>()};
  files.description = record["description"].get<std::string>();
  return files;
}

FitOptions WithStoreFiles(const FitOptions& options, const StoreFiles& files) {
  FitOptions split = options;
  split.split.links = files.links;
  split.split.link_files.columns = files.has_weights
                                       ? "relation,source,target,weight"
                                       : "relation,source,target";
  split.split.link_files.format = "tab,quotes,no-header";
  split.nodes = files.nodes;
  split.store_graph = files.graph;
  return split;
}

}  // namespace slice
