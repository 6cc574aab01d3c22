#include "client/explanation_drawing.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/context_drawing.h"
#include "client/text_table.h"
#include "client/text_width.h"

namespace slice {
namespace {

constexpr size_t kIndent = 2;
constexpr size_t kScoreBarCells = 24;
constexpr size_t kNarrowScoreBarCells = 8;
constexpr size_t kNarrowWidth = 80;
constexpr size_t kAttentionBarCells = 10;
constexpr size_t kFeatureBarCells = 10;
constexpr size_t kMaxFeatures = 8;

std::string Heading(const TextStyle& style, const std::string& title,
                    const std::string& note) {
  std::string heading = "\n" + style.Paint(TextColor::kBold, title);
  if (!note.empty()) {
    const size_t left = style.width - std::min(style.width, title.size() + 2);
    heading += "  " + style.Paint(TextColor::kFaint, style.Name(note, left));
  }
  return heading + "\n";
}

std::string Plural(size_t count, const std::string& noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

// "── tagged ─▶", or "◀─ tagged ──" against the direction.
std::string Arrow(const TextStyle& style, const std::string& relation,
                  ArcDirection direction) {
  const Glyphs& glyphs = style.glyphs();
  const bool in = direction == ArcDirection::kIn;
  return absl::StrCat(in ? glyphs.to_left : glyphs.horizontal,
                      glyphs.horizontal, " ", style.Name(relation), " ",
                      glyphs.horizontal,
                      in ? glyphs.horizontal : glyphs.to_right);
}

// Puts pieces on lines no wider than the style, each line indented.
class WrappedLine {
 public:
  WrappedLine(const TextStyle& style, size_t indent)
      : style_(style), indent_(indent), text_(indent, ' '), used_(indent) {}

  void Add(TextColor color, const std::string& piece) {
    const size_t width = DisplayWidth(piece);
    if (used_ > indent_ && used_ + 1 + width > style_.width) {
      text_ += "\n" + std::string(indent_, ' ');
      used_ = indent_;
    }
    if (used_ > indent_) {
      text_ += " ";
      ++used_;
    }
    text_ += style_.Paint(color, piece);
    used_ += width;
  }

  std::string Finish() { return std::move(text_) + "\n"; }

 private:
  const TextStyle& style_;
  const size_t indent_;
  std::string text_;
  size_t used_;
};

std::string DrawQuestion(const ScoredLink& link, const TextStyle& style) {
  WrappedLine line(style, 0);
  line.Add(TextColor::kSource, style.Name(link.source.Label()));
  line.Add(TextColor::kFaint, Arrow(style, link.relation, ArcDirection::kOut));
  line.Add(TextColor::kTarget, style.Name(link.target.Label()));
  return line.Finish();
}

std::string DrawSummary(const std::string& summary, const TextStyle& style) {
  if (summary.empty()) return "";
  const std::string printable = style.Name(summary);
  WrappedLine line(style, kIndent);
  for (size_t begin = 0; begin < printable.size();) {
    const size_t end = std::min(printable.find(' ', begin), printable.size());
    if (end > begin)
      line.Add(TextColor::kPlain, printable.substr(begin, end - begin));
    begin = end + 1;
  }
  return "\n" + line.Finish();
}

std::string DrawScore(const ScoredLink& link, std::optional<double> threshold,
                      const TextStyle& style) {
  const double structure = std::abs(link.logit_structural);
  const double context = std::abs(link.logit_context);
  const double whole = structure + context;
  const double share = whole > 0 ? structure / whole : 0;
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
  table.AddRow(
      {{"structure"},
       {absl::StrFormat("%+.4f", link.logit_structural)},
       {style.Bar(share, cells, false)},
       {absl::StrFormat("%.0f %% of the score: pair features", 100 * share)}});
  table.AddRow({{"context"},
                {absl::StrFormat("%+.4f", link.logit_context)},
                {style.Bar(whole > 0 ? 1 - share : 0, cells, false)},
                {absl::StrFormat("%.0f %% of the score: attention",
                                 whole > 0 ? 100 * (1 - share) : 0.0)}});
  table.AddRow({{"logit"},
                {absl::StrFormat("%+.4f", link.logit)},
                {""},
                {"structure + context"}});
  return table.Draw(style, kIndent);
}

std::string DrawMetapath(const LinkExplanation& explanation,
                         const TextStyle& style) {
  if (explanation.metapath.empty()) {
    const std::string reason =
        explanation.distance < 0
            ? absl::StrCat("no path within ",
                           Plural(explanation.max_hops, "hop"))
            : absl::StrCat("the ends are ", Plural(explanation.distance, "hop"),
                           " apart, on no path inside the context");
    return Heading(style, "Metapath", "") + std::string(kIndent, ' ') + reason +
           "\n";
  }
  WrappedLine line(style, kIndent);
  for (const ExplainedStep& step : explanation.metapath) {
    if (!step.relation.empty())
      line.Add(TextColor::kFaint, Arrow(style, step.relation, step.direction));
    const ExplainedToken& token = explanation.tokens[step.token];
    line.Add(RoleColor(token.role), style.Name(token.node.Label()));
  }
  return Heading(style, "Metapath",
                 Plural(explanation.metapath.size() - 1, "hop")) +
         line.Finish();
}

std::string DrawContext(const LinkExplanation& explanation,
                        const TextStyle& style) {
  const size_t nodes =
      std::count_if(explanation.tokens.begin(), explanation.tokens.end(),
                    [](const ExplainedToken& token) {
                      return token.kind == ExplainedKind::kNode;
                    });
  std::string note = absl::StrCat(Plural(nodes, "node"), ", ",
                                  Plural(explanation.edges.size(), "link"));
  if (explanation.truncated) note += "; a hub or a bound cut the search short";
  return Heading(style, "Context", note) +
         DrawContextTree(explanation, style, kIndent);
}

std::string RoleTitle(const ExplainedToken& token) {
  switch (token.role) {
    case ExplainedRole::kSource:
      return "source";
    case ExplainedRole::kTarget:
      return "target";
    case ExplainedRole::kBetween:
      return token.kind == ExplainedKind::kPath ? "path" : "between";
    case ExplainedRole::kNone:
      break;
  }
  return token.kind == ExplainedKind::kRelation ? "relation" : "";
}

std::string TokenTitle(const ExplainedToken& token,
                       const std::string& relation) {
  if (token.kind == ExplainedKind::kRelation) return relation;
  if (token.node.Label().empty())
    return token.kind == ExplainedKind::kPath ? "a path between the ends" : "";
  return token.node.type.empty()
             ? token.node.Label()
             : absl::StrCat(token.node.Label(), " (", token.node.type, ")");
}

std::string AttentionText(float attention, const TextStyle& style) {
  return absl::StrFormat("%.3f ", attention) +
         style.Bar(attention, kAttentionBarCells, false);
}

std::string DrawAttention(const ScoredLink& link, const TextStyle& style) {
  TextTable table({{"role"},
                   {"token"},
                   {"from source", false, true},
                   {"from target", false, true}});
  for (const ExplainedToken& token : link.explanation->tokens) {
    table.AddRow({{RoleTitle(token), RoleColor(token.role)},
                  {TokenTitle(token, link.relation), RoleColor(token.role)},
                  {AttentionText(token.attention_from_source, style)},
                  {AttentionText(token.attention_from_target, style)}});
  }
  return Heading(style, "Attention",
                 "what each end takes from each token; explains the context's "
                 "share") +
         table.Draw(style, kIndent);
}

std::string DrawFeatures(const LinkExplanation& explanation,
                         const TextStyle& style) {
  std::vector<ScaledFeature> features = explanation.pair_features;
  if (features.empty()) return "";
  std::stable_sort(features.begin(), features.end(),
                   [](const ScaledFeature& a, const ScaledFeature& b) {
                     return std::abs(a.value) > std::abs(b.value);
                   });
  const size_t shown = std::min(features.size(), kMaxFeatures);
  const double largest =
      std::max(1e-9, static_cast<double>(std::abs(features[0].value)));
  TextTable table({{""}, {"", true}, {"", false, true}});
  for (size_t i = 0; i < shown; ++i) {
    table.AddRow(
        {{features[i].name},
         {absl::StrFormat("%+.2f", features[i].value)},
         {style.Bar(std::abs(features[i].value) / largest, kFeatureBarCells,
                    false),
          features[i].value < 0 ? TextColor::kBad : TextColor::kGood}});
  }
  return Heading(style, "Pair features",
                 absl::StrCat("the ", shown, " largest of ", features.size(),
                              ", as the model sees them")) +
         table.Draw(style, kIndent);
}

}  // namespace

std::string DrawExplanation(const ScoredLink& link,
                            std::optional<double> threshold,
                            const TextStyle& style) {
  const LinkExplanation& explanation = *link.explanation;
  return absl::StrCat(
      DrawQuestion(link, style), "\n", DrawScore(link, threshold, style),
      DrawSummary(explanation.summary, style), DrawMetapath(explanation, style),
      DrawContext(explanation, style), DrawAttention(link, style),
      DrawFeatures(explanation, style));
}

}  // namespace slice
