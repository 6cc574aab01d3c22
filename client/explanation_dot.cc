#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/explanation_drawing.h"
#include "client/text_width.h"

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

// White to orange with the attention the two ends pay, in HSV.
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
  if (source >= 0) {
    // A context of one node belongs to a link from a node to itself.
    absl::StrAppend(
        &dot, "  t", source, " -> t", target < 0 ? source : target,
        " [style=dashed, constraint=false, label=",
        Quoted(absl::StrFormat("%s? %.4f", link.relation, link.probability)),
        "];\n");
  }
  return dot + "}\n";
}

}  // namespace slice
