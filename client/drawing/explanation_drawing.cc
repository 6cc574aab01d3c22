// From top to bottom the drawing has these parts: the link with its
// probabilities and its two parts of the logit (structure and context), the
// summary, the evidence, the metapath, the context with its attention (a tree
// and a table, or one table of paths), a table of the contexts if there are
// several, and the pair features that contribute most. A part without data is
// left out.
#include "client/drawing/explanation_drawing.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/drawing/context_drawing.h"
#include "client/drawing/drawing_parts.h"
#include "client/drawing/evidence_drawing.h"
#include "client/drawing/node_labels.h"
#include "client/drawing/path_drawing.h"
#include "client/text_table.h"

namespace slice {
namespace {

constexpr size_t kScoreBarCells = 24;
constexpr size_t kNarrowScoreBarCells = 8;
constexpr size_t kNarrowWidth = 90;  // below it bars are short
constexpr size_t kAttentionBarCells = 10;

std::string DrawSummary(const std::string& summary, const TextStyle& style) {
  if (summary.empty()) return "";
  WrappedLine line(style, kDrawingIndent);
  line.AddWords(TextColor::kPlain, summary);
  return "\n" + line.Finish();
}

// The note of the heading above the attention.
std::string AttentionNote(const ScoredLink& link) {
  return absl::StrCat("what each end takes from each token",
                      link.scorer.empty() || link.scorer == "context"
                          ? ""
                          : ", no part of this score",
                      "; effect: logit lost without it");
}

std::string DrawMetapath(const ScoredLink& link, const TextStyle& style) {
  const LinkExplanation& explanation = *link.explanation;
  const NodeLabels labels(link);
  if (explanation.metapath.empty()) {
    const std::string reason =
        explanation.distance < 0
            ? absl::StrCat(
                  explanation.truncated ? "no path found within "
                                        : "no path within ",
                  Plural(explanation.max_hops, "hop"),
                  explanation.truncated ? " (not all were searched)" : "")
            : absl::StrCat("the ends are ", Plural(explanation.distance, "hop"),
                           " apart, on no path inside the context");
    return DrawHeading(style, "Metapath", "") +
           std::string(kDrawingIndent, ' ') + reason + "\n";
  }
  WrappedLine line(style, kDrawingIndent);
  for (const ExplainedStep& step : explanation.metapath) {
    if (!step.relation.empty())
      line.Add(TextColor::kFaint,
               DrawArrow(style, step.relation, step.direction));
    line.Add(RoleColor(explanation.tokens[step.token].role),
             style.Name(labels.Of(step.node)));
  }
  std::string note = Plural(explanation.metapath.size() - 1, "hop");
  if (explanation.metapath_count > 0) {
    absl::StrAppend(&note, ", ",
                    Plural(explanation.metapath_count, "such path"));
  }
  return DrawHeading(style, "Metapath", note) + line.Finish();
}

// What was searched, when that was not everything.
std::string DrawSearched(const LinkExplanation& explanation,
                         const TextStyle& style) {
  if (!explanation.truncated) return "";
  WrappedLine line(style, kDrawingIndent);
  line.AddWords(TextColor::kFaint,
                explanation.searched.empty()
                    ? "of nodes with many neighbours only a sample was searched"
                    : explanation.searched);
  return line.Finish();
}

std::string DrawPathContext(const ScoredLink& link, const TextStyle& style) {
  const LinkExplanation& explanation = *link.explanation;
  const size_t types =
      std::count_if(explanation.tokens.begin(), explanation.tokens.end(),
                    [](const ExplainedToken& token) {
                      return token.kind == ExplainedKind::kPath;
                    });
  return DrawHeading(style, "Context",
                     absl::StrCat(Plural(types, "type"), " of paths; ",
                                  AttentionNote(link))) +
         DrawPathTokens(link, style);
}

std::string DrawContext(const LinkExplanation& explanation,
                        const TextStyle& style) {
  const size_t nodes =
      std::count_if(explanation.tokens.begin(), explanation.tokens.end(),
                    [](const ExplainedToken& token) {
                      return token.kind == ExplainedKind::kNode;
                    });
  return DrawHeading(style, "Context",
                     absl::StrCat(Plural(nodes, "node"), ", ",
                                  Plural(explanation.edges.size(), "link"))) +
         DrawContextTree(explanation, style, kDrawingIndent);
}

std::string RoleTitle(const ExplainedToken& token) {
  switch (token.role) {
    case ExplainedRole::kSource:
      return "source";
    case ExplainedRole::kTarget:
      return "target";
    case ExplainedRole::kBetween:
      return "between";
    case ExplainedRole::kNone:
      break;
  }
  return token.kind == ExplainedKind::kRelation ? "relation" : "";
}

std::string TokenTitle(const ExplainedToken& token, const std::string& relation,
                       const NodeLabels& labels) {
  if (token.kind == ExplainedKind::kRelation) return relation;
  if (token.node.Label().empty()) return "";
  return ShownType(token.node).empty()
             ? labels.Of(token.node)
             : absl::StrCat(labels.Of(token.node), " (", token.node.type, ")");
}

// How the two ends move over the layers; empty when that is not known.
std::string CosineLine(const LinkExplanation& explanation) {
  const std::vector<float>& cosines = explanation.token_cosines;
  const size_t of_layer = 2 * explanation.tokens.size();
  if (explanation.tokens.size() < 2 || cosines.empty()) return "";
  std::string line =
      absl::StrFormat("%scosine of the two ends: %.2f",
                      std::string(kDrawingIndent, ' '), cosines[1]);
  for (size_t at = of_layer; at < cosines.size(); at += of_layer) {
    absl::StrAppendFormat(&line, ", %.2f after layer %d", cosines[at + 1],
                          at / of_layer);
  }
  return line + "\n";
}

std::string DrawAttention(const ScoredLink& link, const TextStyle& style) {
  const NodeLabels labels(link);
  TextTable table({{"role"},
                   {"token"},
                   {"from source", false, true},
                   {"from target", false, true},
                   {"effect", true}});
  for (size_t i = 0; i < link.explanation->tokens.size(); ++i) {
    const ExplainedToken& token = link.explanation->tokens[i];
    table.AddRow(
        {{RoleTitle(token), RoleColor(token.role)},
         {TokenTitle(token, link.relation, labels), RoleColor(token.role)},
         {DrawAttentionBar(style, token.attention_from_source,
                           kAttentionBarCells)},
         {DrawAttentionBar(style, token.attention_from_target,
                           kAttentionBarCells)},
         {DrawEffect(*link.explanation, i)}});
  }
  return DrawHeading(style, "Attention", AttentionNote(link)) +
         table.Draw(style, kDrawingIndent);
}

// The nodes between the ends, those first that the ends attend to most.
std::string NodesBetween(const ExplainedContext& context,
                         const NodeLabels& labels) {
  const auto attention = [](const ExplainedToken* token) {
    return token->attention_from_source + token->attention_from_target;
  };
  std::vector<const ExplainedToken*> between;
  for (const ExplainedToken& token : context.tokens) {
    if (token.kind == ExplainedKind::kNode &&
        token.role == ExplainedRole::kBetween) {
      between.push_back(&token);
    }
  }
  std::stable_sort(between.begin(), between.end(),
                   [&](const ExplainedToken* a, const ExplainedToken* b) {
                     return attention(a) > attention(b);
                   });
  std::string text;
  for (const ExplainedToken* token : between) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", labels.Of(token->node));
  }
  return text.empty() ? "-" : text;
}

std::string DrawContexts(const ScoredLink& link, const TextStyle& style) {
  const LinkExplanation& explanation = *link.explanation;
  if (explanation.contexts.empty()) return "";
  const NodeLabels labels(link);
  TextTable table({{"context", true},
                   {"logit", true},
                   {"probability", false, true},
                   {"nodes between the ends, the most attended first"}});
  for (size_t i = 0; i < explanation.contexts.size(); ++i) {
    const ExplainedContext& context = explanation.contexts[i];
    table.AddRow({{absl::StrCat(i + 1)},
                  {absl::StrFormat("%+.4f", context.logit)},
                  {absl::StrFormat("%.4f %s", context.probability,
                                   style.Bar(context.probability,
                                             kNarrowScoreBarCells, true))},
                  {NodesBetween(context, labels)}});
  }
  const char* const pooled =
      explanation.context_pooling == "max" ? "largest" : "mean";
  return DrawHeading(style, "Contexts",
                     absl::StrCat(explanation.contexts.size(),
                                  " were drawn, the first is above; the logit "
                                  "is the ",
                                  pooled, " of theirs")) +
         table.Draw(style, kDrawingIndent);
}

// One part of the logit, as a row of `table`. `whole` is the sum of the sizes
// of all parts.
void AddPart(const char* name, const char* what, double part, double whole,
             size_t cells, const TextStyle& style, TextTable& table) {
  const double share = whole > 0 ? std::abs(part) / whole : 0;
  table.AddRow(
      {{name},
       {absl::StrFormat("%+.4f", part)},
       {style.Bar(share, cells, false)},
       {absl::StrFormat("%.0f %% of the score: %s", 100 * share, what)}});
}

}  // namespace

std::string DrawQuestion(const ScoredLink& link, const TextStyle& style) {
  const NodeLabels labels(link);
  WrappedLine line(style, 0);
  line.Add(TextColor::kSource, style.Name(labels.Of(link.source)));
  line.Add(TextColor::kFaint,
           DrawArrow(style, link.relation, ArcDirection::kOut));
  line.Add(TextColor::kTarget, style.Name(labels.Of(link.target)));
  return line.Finish();
}

std::string DrawScore(const ScoredLink& link, std::optional<double> threshold,
                      const TextStyle& style) {
  const double whole = std::abs(link.logit_structural) +
                       std::abs(link.logit_context) +
                       std::abs(link.logit_knowledge);
  std::string decision = link.decision ? "a link" : "no link";
  if (threshold)
    absl::StrAppend(&decision, " (threshold ",
                    absl::StrFormat("%.4f", *threshold), ")");
  const size_t cells =
      style.width < kNarrowWidth ? kNarrowScoreBarCells : kScoreBarCells;
  TextTable table({{""}, {"", true}, {"", false, true}, {""}});
  table.AddRow(
      {{"probability"},
       {absl::StrFormat("%.4f", link.probability)},
       {style.Bar(link.probability, cells, true),
        link.decision ? TextColor::kGood : TextColor::kBad},
       {decision, link.decision ? TextColor::kGood : TextColor::kBad}});
  table.AddRow({{"among kind"},
                {absl::StrFormat("%.4f", link.probability_among_kind)},
                {style.Bar(link.probability_among_kind, cells, true)},
                {"fit, from 0 to 1"}});
  AddPart("structure", "pair features", link.logit_structural, whole, cells,
          style, table);
  std::string parts = "structure";
  if (link.scorer == "structural") {
    table.AddRow({{"context"}, {"-"}, {""}, {"no part of this score"}});
  } else {
    const bool ends = link.scorer == "ends";
    const char* const name = ends ? "ends" : "context";
    AddPart(name, ends ? "what the ends are" : "attention", link.logit_context,
            whole, cells, style, table);
    absl::StrAppend(&parts, " + ", name);
  }
  if (link.logit_knowledge != 0) {
    AddPart("vectors", "the nodes' vectors", link.logit_knowledge, whole, cells,
            style, table);
    parts += " + vectors";
  }
  table.AddRow(
      {{"logit"}, {absl::StrFormat("%+.4f", link.logit)}, {""}, {parts}});
  return DrawQuestion(link, style) + "\n" + table.Draw(style, kDrawingIndent);
}

std::string DrawExplanation(const ScoredLink& link,
                            const ScoringModelText& model,
                            const TextStyle& style) {
  const LinkExplanation& explanation = *link.explanation;
  return absl::StrCat(
      DrawScore(link, model.threshold, style),
      DrawSummary(explanation.summary, style), DrawEvidence(explanation, style),
      DrawMetapath(link, style),
      HasPathTokens(explanation)
          ? DrawPathContext(link, style)
          : DrawContext(explanation, style) + DrawAttention(link, style),
      CosineLine(explanation), DrawSearched(explanation, style),
      DrawContexts(link, style),
      DrawFeatures(explanation, model.pair_features, style));
}

}  // namespace slice
