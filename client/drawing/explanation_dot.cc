// Each node token of the context becomes a DOT node (t0, t1 ...), and each link
// of the context a DOT edge. A context of paths has node tokens for the two
// ends only, so that the nodes between them are gathered from the paths
// (PathGraph). The metapath is bold. The scored link is a dashed edge with its
// probability.
#include "client/drawing/explanation_dot.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
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
std::string QuotedLines(const std::string& first, const std::string& second,
                        const std::string& third) {
  std::string label = Quoted(first);
  for (const std::string& line : {second, third}) {
    if (line.empty()) continue;
    label.pop_back();
    absl::StrAppend(&label, "\\n", Quoted(line).substr(1));
  }
  return label;
}

// The colour of a node, in HSV: white without attention, and more orange the
// more attention the source or the target pays to it.
std::string FillColor(const ExplainedToken& token) {
  const double attention = std::clamp<double>(
      std::max(token.attention_from_source, token.attention_from_target), 0, 1);
  return absl::StrFormat("\"0.09 %.3f 1.000\"", attention);
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

// Writes the nodes and the links of all paths, each once. The nodes between the
// ends are called p0, p1 and so on, in the order in which they first occur.
class PathGraph {
 public:
  // `source` and `target` are the indices of the tokens of the two ends.
  PathGraph(const LinkExplanation& explanation, int source, int target)
      : explanation_(explanation), source_(source), target_(target) {}

  std::string Write() {
    // The metapath comes first, so that its links are drawn in bold.
    for (size_t i = 1; i < explanation_.metapath.size(); ++i) {
      const ExplainedStep& step = explanation_.metapath[i];
      Add(explanation_.metapath[i - 1].node, step.node, step.relation,
          step.direction, ", penwidth=3");
    }
    for (const ExplainedToken& token : explanation_.tokens) {
      const NodeInfo* from = &explanation_.tokens[source_].node;
      for (const ExplainedPathStep& step : token.path) {
        Add(*from, step.node, step.relation, step.direction, "");
        from = &step.node;
      }
    }
    return std::move(dot_);
  }

 private:
  void Add(const NodeInfo& from, const NodeInfo& to,
           const std::string& relation, ArcDirection direction,
           const std::string& style) {
    std::string near = Name(from);
    std::string far = Name(to);
    if (direction == ArcDirection::kIn) std::swap(near, far);
    if (!links_.emplace(near, far, relation).second) return;
    absl::StrAppend(&dot_, "  ", near, " -> ", far,
                    " [label=", Quoted(relation), style, "];\n");
  }

  std::string Name(const NodeInfo& node) {
    if (node.key == explanation_.tokens[source_].node.key)
      return absl::StrCat("t", source_);
    if (node.key == explanation_.tokens[target_].node.key)
      return absl::StrCat("t", target_);
    const auto [found, added] =
        names_.emplace(node.key, absl::StrCat("p", names_.size()));
    if (added) {
      absl::StrAppend(&dot_, "  ", found->second, " [shape=ellipse, label=",
                      QuotedLines(node.Label(), node.type, ""), "];\n");
    }
    return found->second;
  }

  const LinkExplanation& explanation_;
  const int source_;
  const int target_;
  std::map<std::string, std::string> names_;  // by key
  std::set<std::tuple<std::string, std::string, std::string>> links_;
  std::string dot_;
};

}  // namespace

std::string ExplanationAsDot(const ScoredLink& link) {
  const LinkExplanation& explanation = *link.explanation;
  std::string dot =
      "digraph explanation {\n"
      "  rankdir=LR;\n"
      "  node [fontname=\"Helvetica\", style=filled, fillcolor=white];\n"
      "  edge [fontname=\"Helvetica\", fontsize=10];\n";
  absl::StrAppend(&dot, "  label=", Quoted(explanation.summary), ";\n");
  int source = -1;
  int target = -1;
  for (size_t i = 0; i < explanation.tokens.size(); ++i) {
    const ExplainedToken& token = explanation.tokens[i];
    if (token.kind != ExplainedKind::kNode) continue;
    if (token.role == ExplainedRole::kSource) source = i;
    if (token.role == ExplainedRole::kTarget) target = i;
    absl::StrAppend(&dot, "  t", i, " [shape=", NodeShape(token.role),
                    ", label=",
                    QuotedLines(token.node.Label(), token.node.type,
                                absl::StrFormat("attention %.3f / %.3f",
                                                token.attention_from_source,
                                                token.attention_from_target)),
                    ", fillcolor=", FillColor(token), "];\n");
  }
  for (const ExplainedEdge& edge : explanation.edges) {
    absl::StrAppend(&dot, "  t", edge.source, " -> t", edge.target,
                    " [label=", Quoted(edge.relation),
                    OnMetapath(explanation, edge) ? ", penwidth=3" : "",
                    "];\n");
  }
  if (source >= 0 && target >= 0 && HasPathTokens(explanation))
    dot += PathGraph(explanation, source, target).Write();
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
