// The drawing is a table. Its first columns are the attention bars of the
// source and of the target, the effect on the logit, and the number of paths.
// The last column, the token, takes the rest of the line. A path that does not
// fit there continues on the next line, in the same column.
#include "client/drawing/path_drawing.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/drawing/context_drawing.h"
#include "client/drawing/drawing_parts.h"
#include "client/drawing/node_labels.h"
#include "common/text_width.h"
#include "common/thousands.h"

namespace slice {
namespace {

constexpr const char kTitles[][12] = {"from source", "from target", "effect",
                                      "paths"};
constexpr size_t kEffectWidth = 6;                 // "+12.34"
constexpr size_t kAttentionWidth = 11;             // "from source"
constexpr size_t kBarCells = kAttentionWidth - 6;  // after "0.250 "

float Attention(const ExplainedToken& token) {
  return token.attention_from_source + token.attention_from_target;
}

// The tokens of nodes and relations in the order of the explanation, then the
// path tokens, those with the most attention first.
std::vector<const ExplainedToken*> InDrawingOrder(
    const LinkExplanation& explanation) {
  std::vector<const ExplainedToken*> tokens;
  for (const ExplainedToken& token : explanation.tokens)
    tokens.push_back(&token);
  const auto paths = std::stable_partition(
      tokens.begin(), tokens.end(), [](const ExplainedToken* token) {
        return token->kind != ExplainedKind::kPath;
      });
  std::stable_sort(paths, tokens.end(),
                   [](const ExplainedToken* a, const ExplainedToken* b) {
                     return Attention(*a) > Attention(*b);
                   });
  return tokens;
}

// The width of the column with the numbers of paths.
size_t CountWidth(const LinkExplanation& explanation) {
  size_t width = std::string(kTitles[3]).size();
  for (const ExplainedToken& token : explanation.tokens)
    width = std::max(width, FormatThousands(token.path_count).size());
  return width;
}

std::string Padding(const std::string& text, size_t width) {
  return std::string(width - std::min(width, DisplayWidth(text)), ' ');
}

// The part of a row before the token.
std::string Row(const std::string& from_source, const std::string& from_target,
                const std::string& effect, const std::string& count,
                size_t count_width) {
  return absl::StrCat(std::string(kDrawingIndent, ' '), from_source,
                      Padding(from_source, kAttentionWidth), "  ", from_target,
                      Padding(from_target, kAttentionWidth), "  ",
                      Padding(effect, kEffectWidth), effect, "  ",
                      Padding(count, count_width), count, "  ");
}

void AddNode(const ExplainedToken& token, const TextStyle& style,
             const NodeLabels& labels, WrappedLine& line) {
  line.Add(RoleColor(token.role),
           absl::StrCat(RoleGlyph(token.role, style), " ",
                        style.Name(labels.Of(token.node))));
  if (!ShownType(token.node).empty()) {
    line.Add(TextColor::kFaint,
             absl::StrCat("(", style.Name(token.node.type), ")"));
  }
}

void AddPath(const ExplainedToken& token, const TextStyle& style,
             const NodeLabels& labels, WrappedLine& line) {
  if (token.path.empty()) {
    line.Add(TextColor::kPlain, "a path between the ends");
    return;
  }
  for (size_t i = 0; i < token.path.size(); ++i) {
    const ExplainedPathStep& step = token.path[i];
    line.Add(TextColor::kFaint,
             DrawArrow(style, step.relation, step.direction));
    if (i + 1 == token.path.size()) break;  // the target
    line.Add(TextColor::kPlain, style.Name(labels.Of(step.node)));
  }
}

void AddToken(const ExplainedToken& token, const TextStyle& style,
              const NodeLabels& labels, WrappedLine& line) {
  switch (token.kind) {
    case ExplainedKind::kNode:
      return AddNode(token, style, labels, line);
    case ExplainedKind::kPath:
      return AddPath(token, style, labels, line);
    case ExplainedKind::kRelation:
      return line.Add(TextColor::kPlain, "the relation asked for");
  }
}

}  // namespace

bool HasPathTokens(const LinkExplanation& explanation) {
  return std::any_of(explanation.tokens.begin(), explanation.tokens.end(),
                     [](const ExplainedToken& token) {
                       return token.kind == ExplainedKind::kPath;
                     });
}

std::string DrawPathTokens(const ScoredLink& link, const TextStyle& style) {
  const LinkExplanation& explanation = *link.explanation;
  const NodeLabels labels(link);
  const size_t count_width = CountWidth(explanation);
  const size_t used = kDrawingIndent + 2 * (kAttentionWidth + 2) +
                      kEffectWidth + 2 + count_width + 2;
  std::string titles =
      Row(kTitles[0], kTitles[1], kTitles[2], kTitles[3], count_width);
  titles.erase(titles.find_last_not_of(' ') + 1);
  std::string drawn = style.Paint(TextColor::kFaint, titles) + "\n";
  for (const ExplainedToken* token : InDrawingOrder(explanation)) {
    const auto bar = [&](float attention) {
      return DrawAttentionBar(style, attention, kBarCells);
    };
    const std::string count =
        token->path_count > 0 ? FormatThousands(token->path_count) : "";
    WrappedLine line(
        style, used,
        Row(bar(token->attention_from_source),
            bar(token->attention_from_target),
            DrawEffect(explanation, token - explanation.tokens.data()), count,
            count_width));
    AddToken(*token, style, labels, line);
    drawn += line.Finish();
  }
  return drawn;
}

}  // namespace slice
