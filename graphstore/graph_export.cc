// The files hold what import needs to give every node, type and relation the
// same id again (see graphstore/edge_list_importer.h): nodes come by id, and
// links by relation, so that relations first appear in the order of their ids.
// A text that begins with a quote is written in quotes, and so is the first
// field of a row that begins with #. The first row of such a file has all
// fields in quotes, so that the importer sees that they count.
//
// Both files are written before either gets its name.
#include "graphstore/graph_export.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "common/table/text_output.h"
#include "graphstore/tab_fields.h"

namespace slice {
namespace {

constexpr uint64_t kProgressLinks = 1 << 14;

// The positions of the links, by relation; within a relation they keep their
// order.
std::vector<uint64_t> OrderByRelation(const GraphData& data) {
  std::vector<uint64_t> next(data.catalogue.relations.size() + 1, 0);
  for (const Link& link : data.links) ++next[link.relation + 1];
  for (size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  std::vector<uint64_t> order(data.links.size());
  for (uint64_t i = 0; i < data.links.size(); ++i)
    order[next[data.links[i].relation]++] = i;
  return order;
}

// Whether a field of the file of links needs quotes.
bool HasQuotedLinks(const GraphCatalogue& catalogue) {
  return std::any_of(
             catalogue.nodes.begin(), catalogue.nodes.end(),
             [](const NodeRecord& node) { return NeedsQuotes(node.key); }) ||
         std::any_of(catalogue.relations.begin(), catalogue.relations.end(),
                     FirstNeedsQuotes);
}

// Whether a field of the file of nodes needs quotes.
bool HasQuotedNodes(const GraphCatalogue& catalogue) {
  return std::any_of(catalogue.nodes.begin(), catalogue.nodes.end(),
                     [](const NodeRecord& node) {
                       return FirstNeedsQuotes(node.key) ||
                              NeedsQuotes(node.name);
                     }) ||
         std::any_of(catalogue.node_types.begin(), catalogue.node_types.end(),
                     NeedsQuotes);
}

absl::Status WriteLinks(const GraphData& data, TextOutput* file) {
  const GraphCatalogue& catalogue = data.catalogue;
  ProgressLine progress("export", data.links.size(), "links");
  const bool weighted = !data.weights.empty();
  file->Append(weighted ? "# relation\tsource\ttarget\tweight\n"
                        : "# relation\tsource\ttarget\n");
  const bool quoted = HasQuotedLinks(catalogue);
  std::string line;
  uint64_t written = 0;
  for (const uint64_t i : OrderByRelation(data)) {
    const Link& link = data.links[i];
    line.clear();
    AppendTabFields(
        std::array<std::string_view, 3>{catalogue.relations[link.relation],
                                        catalogue.nodes[link.source].key,
                                        catalogue.nodes[link.target].key},
        /*quote_all=*/quoted && written == 0, &line);
    if (weighted) {
      line.push_back('\t');
      AppendFloat(data.weights[i], &line);
    }
    line.push_back('\n');
    file->Append(line);
    if (++written % kProgressLinks != 0) continue;
    SLICE_RETURN_IF_ERROR(file->status());
    progress.Advance(kProgressLinks);
  }
  progress.Finish();
  return file->status();
}

void WriteNodes(const GraphCatalogue& catalogue, TextOutput* file) {
  std::string line;
  const auto append = [&](std::string_view key, std::string_view type,
                          std::string_view name, bool quote_all) {
    line.clear();
    AppendTabFields(std::array<std::string_view, 3>{key, type, name}, quote_all,
                    &line);
    line.push_back('\n');
    file->Append(line);
  };
  append("key", "type", "name", /*quote_all=*/HasQuotedNodes(catalogue));
  for (const NodeRecord& node : catalogue.nodes)
    append(node.key, catalogue.node_types[node.type], node.name, false);
}

}  // namespace

absl::Status ExportNodeText(const GraphCatalogue& catalogue,
                            const std::filesystem::path& path) {
  SLICE_ASSIGN_OR_RETURN(const auto file, TextOutput::Create(path));
  WriteNodes(catalogue, file.get());
  return file->Commit();
}

absl::Status ExportGraphText(GraphData data, const GraphTextFiles& files) {
  SortLinks(&data);
  std::vector<std::unique_ptr<TextOutput>> outputs(2);
  SLICE_ASSIGN_OR_RETURN(outputs[0], TextOutput::Create(files.nodes));
  SLICE_ASSIGN_OR_RETURN(outputs[1], TextOutput::Create(files.links));
  WriteNodes(data.catalogue, outputs[0].get());
  SLICE_RETURN_IF_ERROR(outputs[0]->status());
  SLICE_RETURN_IF_ERROR(WriteLinks(data, outputs[1].get()));
  return CommitAll(outputs);
}

GraphData WithoutRemovedNodes(const GraphSnapshot& graph) {
  GraphData data = graph.Data();
  if (graph.present_node_count() == graph.node_count()) return data;
  std::vector<NodeId> ids;  // by the old ones
  std::vector<NodeRecord> nodes;
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    ids.push_back(static_cast<NodeId>(nodes.size()));
    if (!graph.IsRemoved(node))
      nodes.push_back(std::move(data.catalogue.nodes[node]));
  }
  data.catalogue.nodes = std::move(nodes);
  for (Link& link : data.links) {
    link.source = ids[link.source];
    link.target = ids[link.target];
  }
  return data;
}

}  // namespace slice
