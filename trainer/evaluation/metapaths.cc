// A metapath is read off the first context of a link: the shortest path along
// the edges of the context or, in a context of path tokens, the path token with
// the fewest nodes. MakeMetapathTables counts the names per relation.
#include "trainer/evaluation/metapaths.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace slice {
namespace {

constexpr char kNoPath[] = "no path";

// A path from source to target. Empty when there is none.
struct Steps {
  std::vector<NodeId> nodes;       // the ends included
  std::vector<int32_t> relations;  // signed by the direction of travel
};

// The path token with the fewest nodes. Tokens are sorted by weight, so that
// among tokens with equally few nodes the heaviest one is returned.
const ContextToken* ShortestPathToken(const ContextSubgraph& context) {
  const ContextToken* shortest = nullptr;
  for (const ContextToken& token : context.tokens) {
    if (token.kind == TokenKind::kPath &&
        (shortest == nullptr || token.path.size() < shortest->path.size())) {
      shortest = &token;
    }
  }
  return shortest;
}

Steps ShortestSteps(const ContextSubgraph& context) {
  Steps steps;
  for (const MetapathStep& step : ShortestMetapath(context)) {
    steps.nodes.push_back(context.tokens[step.token].node);
    if (step.signed_relation != 0) {
      steps.relations.push_back(step.signed_relation);
    }
  }
  if (!steps.relations.empty()) return steps;
  const ContextToken* token = ShortestPathToken(context);
  if (token == nullptr) return {};
  steps.nodes = {context.link.source};
  steps.nodes.insert(steps.nodes.end(), token->path.begin(), token->path.end());
  steps.nodes.push_back(context.link.target);
  for (const int32_t relation : token->relations) {
    if (relation != 0) steps.relations.push_back(relation);
  }
  return steps;
}

struct Counted {
  MetapathRow row;
  double probabilities = 0;
};
using RowsByName = std::map<std::string, Counted>;

std::vector<MetapathRow> MostFrequent(const RowsByName& counted, size_t most) {
  std::vector<MetapathRow> rows;
  for (const auto& [name, entry] : counted) {
    MetapathRow row = entry.row;
    row.metapath = name;
    row.mean_probability =
        entry.probabilities / static_cast<double>(row.links + row.non_links);
    rows.push_back(std::move(row));
  }
  // The rows are in the order of their names, and the sort is stable, so that
  // rows with equal counts keep this order.
  std::stable_sort(rows.begin(), rows.end(),
                   [](const MetapathRow& a, const MetapathRow& b) {
                     return a.links > b.links;
                   });
  if (rows.size() > most) rows.resize(most);
  return rows;
}

}  // namespace

std::string MetapathName(const GraphSnapshot& snapshot,
                         const ContextSubgraph& context) {
  const Steps steps = ShortestSteps(context);
  if (snapshot.node_type_count() > 1) {
    return absl::StrJoin(steps.nodes, " - ",
                         [&](std::string* out, NodeId node) {
                           out->append(snapshot.TypeName(snapshot.Type(node)));
                         });
  }
  return absl::StrJoin(steps.relations, " ",
                       [&](std::string* out, int32_t relation) {
                         const std::string& name =
                             snapshot.RelationName(RelationOfSigned(relation));
                         absl::StrAppend(out, relation > 0 ? "" : "<", name,
                                         relation > 0 ? ">" : "");
                       });
}

std::vector<MetapathTable> MakeMetapathTables(
    const GraphSnapshot& snapshot, std::span<const Link> links,
    std::span<const uint8_t> labels, std::span<const std::string> metapaths,
    std::span<const float> probabilities, const MetapathTableOptions& options) {
  std::vector<MetapathTable> tables(snapshot.relation_count());
  std::vector<RowsByName> counted(tables.size());
  for (size_t i = 0; i < links.size(); ++i) {
    const RelationId relation = links[i].relation;
    Counted& entry =
        counted[relation][metapaths[i].empty() ? kNoPath : metapaths[i]];
    ++(labels[i] ? entry.row.links : entry.row.non_links);
    ++(labels[i] ? tables[relation].links : tables[relation].non_links);
    entry.probabilities += probabilities[i];
  }
  for (size_t r = 0; r < tables.size(); ++r) {
    tables[r].relation = snapshot.RelationName(static_cast<RelationId>(r));
    tables[r].rows = MostFrequent(counted[r], options.rows);
  }
  std::erase_if(tables,
                [](const MetapathTable& table) { return table.links == 0; });
  std::stable_sort(tables.begin(), tables.end(),
                   [](const MetapathTable& a, const MetapathTable& b) {
                     return a.links > b.links;
                   });
  if (tables.size() > options.relations) tables.resize(options.relations);
  return tables;
}

}  // namespace slice
