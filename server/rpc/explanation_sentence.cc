// One function for each kind of evidence. A phrase has no full stop and begins
// with a name or a number where it can, so that phrases can be joined to one
// sentence:
//   PHRASE; PHRASE; against it: PHRASE; without all this 0.99 becomes 0.41.
// What speaks for the link is said first, unless it is no link.
// Names of relations may be anything, so they stand between quotes and are not
// bent into verbs.
#include "server/rpc/explanation_sentence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "common/thousands.h"
#include "context/link_flags.h"
#include "context/path_context.h"

namespace slice {
namespace {

// A name as prose shows it: in quotes when it has a sign that also parts
// phrases.
std::string NameOf(const ModelOnGraph& served, NodeId node) {
  const std::string& name = served.graph.Name(node);
  return name.find_first_of(",;") == std::string::npos
             ? name
             : absl::StrCat("'", name, "'");
}

// Whether only some of the paths of this length were looked at.
bool IsSampled(const LinkItem& item, int length) {
  return length >= 3 && item.encoded.contexts.front().truncated;
}

// "4,366"; "about 4,400" for a sample.
std::string CountText(const LinkItem& item, int length, uint64_t count) {
  if (!IsSampled(item, length)) return FormatThousands(count);
  uint64_t unit = 1;
  while (count / unit >= 100) unit *= 10;
  return absl::StrCat("about ",
                      FormatThousands((count + unit / 2) / unit * unit));
}

// "9 packages such as crystal", or "crystal" alone. The type is said only where
// all nodes at that end of the relation have it.
std::string CountedNodes(const ModelOnGraph& served, uint64_t count,
                         NodeId node, int32_t relation_to_node) {
  const std::string name = NameOf(served, node);
  if (count == 1) return name;
  const std::span<const NodeTypeId> types = served.schema().types(
      RelationOfSigned(relation_to_node),
      relation_to_node > 0 ? Direction::kIn : Direction::kOut);
  const bool typed = types.size() == 1 && served.graph.node_type_count() > 1;
  return absl::StrCat(
      FormatThousands(count), " ",
      typed ? absl::StrCat(served.graph.TypeName(types[0]), " nodes") : "nodes",
      " such as ", name);
}

// How a node between the ends is linked with one of them: `a link "recommends"
// to curl`. `step` leads from the node to the end.
std::string LinkWith(const ModelOnGraph& served, int32_t step, NodeId end) {
  return absl::StrCat("a link \"",
                      served.graph.RelationName(RelationOfSigned(step)),
                      step > 0 ? "\" to " : "\" from ", NameOf(served, end));
}

// " -depends-> libcurl4"; " <-depends- libcurl4" against its direction.
std::string StepText(const ModelOnGraph& served, int32_t step, NodeId to) {
  return absl::StrCat(step > 0 ? " -" : " <-",
                      served.graph.RelationName(RelationOfSigned(step)),
                      step > 0 ? "-> " : "- ", NameOf(served, to));
}

// The links between the ends that the question sees, such as "curl -depends->
// zlib1g and 2 more links join them".
std::string DirectLinks(const ModelOnGraph& served, const Link& link) {
  const std::string source = NameOf(served, link.source);
  const std::string ends = source + " and " + NameOf(served, link.target);
  if (link.source == link.target)
    return absl::StrCat("the other links between ", ends);
  const std::vector<Arc> arcs =
      served.model.encoder->QueryView(served.graph, link)
          .ArcsBetween(link.source, link.target);
  if (arcs.empty()) return absl::StrCat("no other link joins ", ends);
  const int32_t step = SignedRelation(arcs[0].relation, arcs[0].direction);
  const std::string first = source + StepText(served, step, link.target);
  if (arcs.size() == 1) return absl::StrCat("there is the link ", first);
  return absl::StrCat(first, " and ", FormatThousands(arcs.size() - 1),
                      arcs.size() == 2 ? " more link" : " more links",
                      " join them");
}

std::string DescribeType(const ModelOnGraph& served, const LinkItem& item,
                         const Evidence& evidence) {
  const ContextSubgraph& context = item.encoded.contexts.front();
  const ContextToken& token = context.tokens[evidence.token];
  if (evidence.length == 2 && !token.path.empty()) {
    return absl::StrCat(CountedNodes(served, token.path_count, token.path[0],
                                     token.relations[0]),
                        token.path_count == 1 ? " has " : " have ",
                        LinkWith(served, -token.relations[0], item.link.source),
                        " and ",
                        LinkWith(served, token.relations[1], item.link.target));
  }
  const std::string path = DescribePath(served, context, evidence.token);
  if (evidence.length == 1) return absl::StrCat("there is the link ", path);
  return token.path_count == 1
             ? absl::StrCat("there is the path ", path)
             : absl::StrCat("there are ",
                            CountText(item, evidence.length, token.path_count),
                            " paths such as ", path);
}

std::string DescribeAllPaths(const ModelOnGraph& served, const LinkItem& item,
                             const Evidence& evidence) {
  const ContextSubgraph& context = item.encoded.contexts.front();
  const auto token = std::find_if(
      context.tokens.begin(), context.tokens.end(), [&](const auto& other) {
        return other.kind == TokenKind::kPath &&
               LengthOf(other.relations) == evidence.length;
      });
  const bool shown = token != context.tokens.end();
  const uint64_t count = PathCountOf(item, evidence);
  const std::string ends =
      absl::StrCat(NameOf(served, item.link.source), " and ",
                   NameOf(served, item.link.target));
  if (evidence.length == 1) return DirectLinks(served, item.link);
  if (evidence.length == 2) {
    return absl::StrCat(
        ends, " have ", FormatThousands(count),
        count == 1 ? " neighbour" : " neighbours", " in common",
        shown ? absl::StrCat(", such as ", NameOf(served, token->path[0]))
              : "");
  }
  return absl::StrCat(
      CountText(item, 3, count), count == 1 ? " chain" : " chains",
      " of three links ", count == 1 ? "joins " : "join ", ends,
      shown
          ? absl::StrCat(", such as that over ", NameOf(served, token->path[0]),
                         " and ", NameOf(served, token->path[1]))
          : "");
}

std::string DescribeNoPaths(const ModelOnGraph& served, const LinkItem& item,
                            const Evidence& evidence) {
  const std::string ends =
      absl::StrCat(NameOf(served, item.link.source), " and ",
                   NameOf(served, item.link.target));
  if (evidence.length == 1) return absl::StrCat("no other link joins ", ends);
  if (evidence.length == 2) {
    return absl::StrCat(ends, " have no neighbour in common");
  }
  return IsSampled(item, evidence.length)
             ? absl::StrCat("no chain of three links was found that joins ",
                            ends, " (not all were searched)")
             : absl::StrCat("no chain of three links joins ", ends);
}

bool HasLongPaths(const LinkItem& item) {
  return item.evidence.paths[2] > 0 || item.evidence.paths[3] > 0;
}

std::string DescribeFeatures(const ModelOnGraph& served, const LinkItem& item,
                             const Evidence& evidence) {
  const GraphSnapshot& graph = served.graph;
  const Link& link = item.link;
  const std::string source = NameOf(served, link.source);
  const std::string target = NameOf(served, link.target);
  const std::string ends = absl::StrCat(source, " and ", target);
  const GraphView view = served.model.encoder->QueryView(graph, link);
  const std::string& relation = graph.RelationName(link.relation);
  switch (evidence.group) {
    case FeatureGroup::kDegrees:
      return absl::StrCat(
          "how many neighbours ", source, " (",
          FormatThousands(view.NeighborCount(link.source)), ") and ", target,
          " (", FormatThousands(view.NeighborCount(link.target)), ") have");
    case FeatureGroup::kSlots:
      return absl::StrCat("how many links \"", relation, "\" ", source,
                          " has (",
                          FormatThousands(view.SlotDegree(
                              link.source, link.relation, Direction::kOut)),
                          "), how many lead to ", target, " (",
                          FormatThousands(view.SlotDegree(
                              link.target, link.relation, Direction::kIn)),
                          "), and what other links they have");
    case FeatureGroup::kPopularity:
      return absl::StrCat("how well connected the neighbours of ", ends,
                          " are");
    case FeatureGroup::kTypes:
      return absl::StrCat(
          source, " is a ", graph.TypeName(graph.Type(link.source)), " and ",
          target, " is a ", graph.TypeName(graph.Type(link.target)));
    case FeatureGroup::kSpectral:
      return absl::StrCat("how close ", ends,
                          " lie in the graph as a whole (spectral factors)");
    case FeatureGroup::kRules:
      return HasLongPaths(item)
                 ? absl::StrCat("how often paths like those between ", ends,
                                " go with such links elsewhere (path rules)")
                 : absl::StrCat(IsSampled(item, 3)
                                    ? "no path was found between "
                                    : "no path between ",
                                ends, " to which a path rule applies");
    case FeatureGroup::kTwoPaths:
      return absl::StrCat("which neighbours ", ends, " have in common");
    case FeatureGroup::kThreePaths:
      return absl::StrCat("the chains of three links between ", ends);
    case FeatureGroup::kDirectLinks:
      return DirectLinks(served, link);
    case FeatureGroup::kOther:
      break;
  }
  return "other numbers about the link";
}

// Two digits, or more near 0 and 1.
std::string Rounded(double probability) {
  return probability > 0.005 && probability < 0.995
             ? absl::StrFormat("%.2f", probability)
             : absl::StrFormat("%.4f", probability);
}

// What takes the place of the named evidence.
std::string WithoutThem(const std::vector<Evidence>& named) {
  const bool paths =
      std::all_of(named.begin(), named.end(), [](const Evidence& evidence) {
        return evidence.kind == EvidenceKind::kPaths ||
               evidence.kind == EvidenceKind::kAllPaths;
      });
  if (paths) return "without them";
  if (named.size() > 1) return "without all this";
  switch (named[0].kind) {
    case EvidenceKind::kNoPaths:
      return "with as many as usual";
    case EvidenceKind::kFeatures:
      return "with average values";
    default:
      return "without this";
  }
}

std::string Capitalized(std::string text) {
  // Names begin as they are written; only our own words are changed.
  for (const char* word : {"there ", "how ", "which ", "what ", "other ",
                           "no chain ", "no other ", "the ", "about "}) {
    if (text.starts_with(word))
      text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

// What speaks for a link and what against it.
std::string Reasons(const std::vector<std::string>& supporting,
                    const std::vector<std::string>& opposing, bool is_link) {
  const std::string in_favour = absl::StrJoin(supporting, "; ");
  const std::string against = absl::StrJoin(opposing, "; ");
  if (!is_link) {
    if (opposing.empty())
      return absl::StrCat("Little speaks for the link: ", in_favour);
    return absl::StrCat("Against the link: ", against,
                        supporting.empty() ? "" : "; for it: ", in_favour);
  }
  if (supporting.empty())
    return absl::StrCat("Little speaks against the link: ", against);
  return absl::StrCat(Capitalized(in_favour),
                      opposing.empty() ? "" : "; against it: ", against);
}

}  // namespace

uint64_t PathCountOf(const LinkItem& item, const Evidence& evidence) {
  const std::vector<ContextToken>& tokens =
      item.encoded.contexts.front().tokens;
  if (evidence.kind == EvidenceKind::kPaths) {
    return tokens[evidence.token].path_count;
  }
  if (evidence.kind != EvidenceKind::kAllPaths) return 0;
  // All and those of one type may be counted by different samples. There are
  // no fewer of all.
  uint64_t count = item.evidence.paths[static_cast<size_t>(evidence.length)];
  for (const ContextToken& token : tokens) {
    if (token.kind == TokenKind::kPath &&
        LengthOf(token.relations) == evidence.length) {
      count = std::max<uint64_t>(count, token.path_count);
    }
  }
  return count;
}

std::string DescribePath(const ModelOnGraph& served,
                         const ContextSubgraph& context, size_t position) {
  const ContextToken& token = context.tokens[position];
  std::string text = NameOf(served, context.link.source);
  for (size_t i = 0; i <= token.path.size(); ++i) {
    text +=
        StepText(served, token.relations[i],
                 i == token.path.size() ? context.link.target : token.path[i]);
  }
  return text;
}

std::string DescribeEvidence(const ModelOnGraph& served, const LinkItem& item,
                             const Evidence& evidence) {
  switch (evidence.kind) {
    case EvidenceKind::kPaths:
      return DescribeType(served, item, evidence);
    case EvidenceKind::kAllPaths:
      return DescribeAllPaths(served, item, evidence);
    case EvidenceKind::kNoPaths:
      return DescribeNoPaths(served, item, evidence);
    case EvidenceKind::kFeatures:
      return DescribeFeatures(served, item, evidence);
    case EvidenceKind::kNode:
      return absl::StrCat(
          "the links of ",
          NameOf(served,
                 item.encoded.contexts.front().tokens[evidence.token].node),
          " with the nodes between the ends");
    case EvidenceKind::kEnds:
      break;
  }
  return absl::StrCat("what ", NameOf(served, item.link.source), " and ",
                      NameOf(served, item.link.target),
                      " are in themselves (their vectors)");
}

namespace {

// Why the pair itself is unlikely.
std::string DescribeUnlikelyPair(const ModelOnGraph& served,
                                 const LinkItem& item) {
  LinkFlags flags;
  flags.self = item.prediction.flags.self;
  flags.off_schema_source = item.prediction.flags.off_schema_source;
  flags.off_schema_target = item.prediction.flags.off_schema_target;
  const double lost = -item.prediction.schema_log_odds;
  const double probability =
      std::max(std::numeric_limits<float>::min(), item.prediction.probability);
  return absl::StrCat(
      "Against the link: ",
      absl::StrJoin(FlagNotes(served.graph, served.schema(), item.link, flags,
                              served.model.manifest.own_pair_links),
                    "; "),
      "; without this ", Rounded(probability), " becomes ",
      Rounded(1 / (1 + std::exp(-LogOdds(probability) - lost))));
}

}  // namespace

std::string DescribeReasons(const ModelOnGraph& served, const LinkItem& item) {
  const EvidenceEffects& effects = item.evidence.effects;
  if (PairIsReason(item.prediction, effects.Greatest()))
    return DescribeUnlikelyPair(served, item);
  std::vector<Evidence> named;
  std::vector<std::string> supporting, opposing;
  for (const EvidenceEffect& effect : effects.effects) {
    if (!effect.named) continue;
    named.push_back(item.evidence.items[effect.item]);
    (effect.logit_effect < 0 ? opposing : supporting)
        .push_back(DescribeEvidence(served, item, named.back()));
  }
  const double probability = item.prediction.probability;
  if (named.empty()) {
    return absl::StrCat(
        "No reason can be named: nothing that was removed changes the logit by "
        "more than ",
        absl::StrFormat("%.2f", effects.Greatest()), " (probability ",
        Rounded(probability), ")");
  }
  return absl::StrCat(Reasons(supporting, opposing, item.prediction.decision),
                      "; ", WithoutThem(named), " ", Rounded(probability),
                      " becomes ", Rounded(effects.probability_without_named));
}

std::string DescribeSearch(const ModelOnGraph& served) {
  const ContextOptions& context = served.model.manifest.context;
  if (context.strategy == ContextStrategy::kTypedPaths) {
    const TypedPathLimits limits;
    return absl::StrCat(
        "of nodes with many neighbours only a sample was searched: ",
        limits.common, " common neighbours, and for paths of three links ",
        limits.first, " neighbours of the source and ", limits.second,
        " links of each; numbers of paths are estimates");
  }
  return absl::StrCat(
      "of nodes with many neighbours only a sample was searched: at most ",
      FormatThousands(static_cast<uint64_t>(context.max_degree)),
      " neighbours of a node and ",
      FormatThousands(static_cast<uint64_t>(context.max_expanded_arcs)),
      " links in all");
}

}  // namespace slice
