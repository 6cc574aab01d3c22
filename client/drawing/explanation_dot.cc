// Each node token of the context becomes a DOT node (t0, t1 ...), and each link
// of the context a DOT edge. A context of paths has node tokens for the two
// ends only, so that the nodes between them are gathered from the paths
// (PathGraph). A node has the colour of its type, and says how much attention,
// how many paths and what effect it has. The source stands at the left, the
// target at the right. The metapath is bold. The scored link is a dashed edge
// with its probability.
#include "client/drawing/explanation_dot.h"

#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "client/drawing/drawing_parts.h"
#include "client/drawing/node_labels.h"
#include "client/drawing/path_drawing.h"
#include "common/text_width.h"

namespace slice {
namespace {

// A double-quoted DOT string. Only the quote and the backslash are special.
std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : Printable(text, "\uFFFD")) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

// A quoted label of several lines; `\n` is DOT's own escape.
std::string QuotedLines(const std::vector<std::string>& lines) {
  std::string label = "\"\"";
  for (const std::string& line : lines) {
    if (line.empty()) continue;
    label.pop_back();
    absl::StrAppend(&label, label.size() > 1 ? "\\n" : "",
                    Quoted(line).substr(1));
  }
  return label;
}

// The summary, on lines that are not wider than a usual picture.
std::vector<std::string> SummaryLines(const LinkExplanation& explanation) {
  TextStyle style;
  style.width = 90;
  WrappedLine line(style, 0);
  line.AddWords(TextColor::kPlain, explanation.summary);
  return absl::StrSplit(line.Finish(), '\n', absl::SkipEmpty());
}

// A pale colour for each node type, in the order in which types first occur;
// the colours repeat after the last one. White for a node without a type.
class TypeColors {
 public:
  std::string Of(const std::string& type) {
    static constexpr const char* kColors[] = {"#cfe3f7", "#fbdcc0", "#d3edd0",
                                              "#e6d6f2", "#fbe9a9", "#f6cfd6",
                                              "#c9ece8", "#e3dccb"};
    if (type.empty()) return "\"white\"";
    const size_t next = colors_.size() % std::size(kColors);
    return Quoted(colors_.emplace(type, kColors[next]).first->second);
  }

 private:
  std::map<std::string, std::string> colors_;
};

std::string AttentionLine(float from_source, float from_target) {
  return absl::StrFormat("attention %.3f / %.3f", from_source, from_target);
}

std::string EffectLine(float effect) {
  return absl::StrFormat("effect %+.2f", effect);
}

const char* NodeShape(ExplainedRole role) {
  return role == ExplainedRole::kSource || role == ExplainedRole::kTarget
             ? "doubleoctagon"
             : "ellipse";
}

bool OnMetapath(const LinkExplanation& explanation, const ExplainedEdge& edge) {
  for (size_t i = 1; i < explanation.metapath.size(); ++i) {
    const ExplainedStep& step = explanation.metapath[i];
    size_t from = explanation.metapath[i - 1].token;
    size_t to = step.token;
    if (step.direction == ArcDirection::kIn) std::swap(from, to);
    if (edge.source == from && edge.target == to &&
        edge.relation == step.relation)
      return true;
  }
  return false;
}

// What the path tokens over a node have together.
struct PathNode {
  NodeInfo node;
  std::string name;  // in the DOT file
  float from_source = 0, from_target = 0;
  uint64_t paths = 0;
  float effect = 0;
};

// Writes the nodes and the links of all paths, each once. The nodes between the
// ends are called p0, p1 and so on, in the order in which they first occur.
class PathGraph {
 public:
  // `source` and `target` are the indices of the tokens of the two ends.
  PathGraph(const ScoredLink& link, int source, int target, TypeColors& colors)
      : explanation_(*link.explanation),
        labels_(link),
        source_(source),
        target_(target),
        colors_(colors) {}

  std::string Write() {
    // The metapath comes first, so that its links are drawn in bold.
    for (size_t i = 1; i < explanation_.metapath.size(); ++i) {
      const ExplainedStep& step = explanation_.metapath[i];
      AddLink(explanation_.metapath[i - 1].node, step.node, step.relation,
              step.direction, ", penwidth=3");
    }
    for (size_t i = 0; i < explanation_.tokens.size(); ++i) AddToken(i);
    std::string dot;
    for (const PathNode& node : nodes_) {
      absl::StrAppend(
          &dot, "  ", node.name, " [shape=ellipse, label=",
          QuotedLines({labels_.Of(node.node), ShownType(node.node),
                       AttentionLine(node.from_source, node.from_target),
                       Plural(node.paths, "path"), EffectLine(node.effect)}),
          ", fillcolor=", colors_.Of(node.node.type), "];\n");
    }
    return dot + links_text_;
  }

 private:
  void AddToken(size_t position) {
    const ExplainedToken& token = explanation_.tokens[position];
    const NodeInfo* from = &explanation_.tokens[source_].node;
    for (const ExplainedPathStep& step : token.path) {
      AddLink(*from, step.node, step.relation, step.direction, "");
      from = &step.node;
      PathNode* const node = Find(step.node);
      if (node == nullptr) continue;
      node->from_source += token.attention_from_source;
      node->from_target += token.attention_from_target;
      node->paths += token.path_count;
      node->effect += token.logit_effect;
    }
  }

  void AddLink(const NodeInfo& from, const NodeInfo& to,
               const std::string& relation, ArcDirection direction,
               const std::string& style) {
    std::string near = Name(from);
    std::string far = Name(to);
    // The layout follows the path, even where the link points back.
    const bool back = direction == ArcDirection::kIn;
    const auto& [tail, head] = back ? std::tie(far, near) : std::tie(near, far);
    if (!links_.emplace(tail, head, relation).second) return;
    absl::StrAppend(&links_text_, "  ", near, " -> ", far,
                    " [label=", Quoted(relation), back ? ", dir=back" : "",
                    style, "];\n");
  }

  // Null for the two ends.
  PathNode* Find(const NodeInfo& node) {
    const auto found = positions_.find(node.key);
    return found == positions_.end() ? nullptr : &nodes_[found->second];
  }

  std::string Name(const NodeInfo& node) {
    if (node.key == explanation_.tokens[source_].node.key)
      return absl::StrCat("t", source_);
    if (node.key == explanation_.tokens[target_].node.key)
      return absl::StrCat("t", target_);
    if (positions_.emplace(node.key, nodes_.size()).second) {
      nodes_.push_back({node, absl::StrCat("p", nodes_.size())});
    }
    return Find(node)->name;
  }

  const LinkExplanation& explanation_;
  const NodeLabels labels_;
  const int source_;
  const int target_;
  TypeColors& colors_;
  std::vector<PathNode> nodes_;
  std::map<std::string, size_t> positions_;  // in nodes_, by key
  // Source, target and relation.
  std::set<std::tuple<std::string, std::string, std::string>> links_;
  std::string links_text_;
};

// The line of a token that is a node; `position` is its index.
std::string TokenLine(const ScoredLink& link, size_t position,
                      const NodeLabels& labels, TypeColors& colors) {
  const ExplainedToken& token = link.explanation->tokens[position];
  const bool between = token.role == ExplainedRole::kBetween;
  return absl::StrCat(
      "  t", position, " [shape=", NodeShape(token.role), ", label=",
      QuotedLines({labels.Of(token.node), ShownType(token.node),
                   AttentionLine(token.attention_from_source,
                                 token.attention_from_target),
                   between ? EffectLine(token.logit_effect) : ""}),
      ", fillcolor=", colors.Of(token.node.type), "];\n");
}

}  // namespace

std::string ExplanationAsDot(const ScoredLink& link) {
  const LinkExplanation& explanation = *link.explanation;
  const NodeLabels labels(link);
  TypeColors colors;
  std::string dot =
      "digraph explanation {\n"
      "  rankdir=LR;\n"
      "  node [fontname=\"Helvetica\", style=filled, fillcolor=white];\n"
      "  edge [fontname=\"Helvetica\", fontsize=10];\n";
  absl::StrAppend(&dot, "  labelloc=t;\n  label=",
                  QuotedLines(SummaryLines(explanation)), ";\n");
  int source = -1;
  int target = -1;
  for (size_t i = 0; i < explanation.tokens.size(); ++i) {
    const ExplainedToken& token = explanation.tokens[i];
    if (token.kind != ExplainedKind::kNode) continue;
    if (token.role == ExplainedRole::kSource) source = i;
    if (token.role == ExplainedRole::kTarget) target = i;
    dot += TokenLine(link, i, labels, colors);
  }
  if (source >= 0) absl::StrAppend(&dot, "  {rank=source; t", source, ";}\n");
  if (target >= 0 && target != source) {
    absl::StrAppend(&dot, "  {rank=sink; t", target, ";}\n");
  }
  for (const ExplainedEdge& edge : explanation.edges) {
    absl::StrAppend(&dot, "  t", edge.source, " -> t", edge.target,
                    " [label=", Quoted(edge.relation),
                    OnMetapath(explanation, edge) ? ", penwidth=3" : "",
                    "];\n");
  }
  if (source >= 0 && target >= 0 && HasPathTokens(explanation))
    dot += PathGraph(link, source, target, colors).Write();
  if (source >= 0) {
    // The context of a link from a node to itself has one node.
    absl::StrAppend(
        &dot, "  t", source, " -> t", target < 0 ? source : target,
        " [style=dashed, constraint=false, label=",
        Quoted(absl::StrFormat("%s? %.4f", link.relation, link.probability)),
        "];\n");
  }
  return dot + "}\n";
}

}  // namespace slice
