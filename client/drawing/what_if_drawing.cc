// Evidence of both answers is matched by what it stands for: paths by the
// relations that they travel, a node between the ends by its key, everything
// else by its kind and group. Counts and examples may differ.
#include "client/drawing/what_if_drawing.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/drawing/drawing_parts.h"
#include "client/drawing/explanation_drawing.h"
#include "client/text_table.h"

namespace slice {
namespace {

constexpr size_t kMostRows = 8;
constexpr double kLeastShown = 5e-5;  // of a change; four digits are shown

std::string DecisionText(const ScoredLink& link) {
  return link.decision ? "a link" : "no link";
}

TextColor DecisionColor(const ScoredLink& link) {
  return link.decision ? TextColor::kGood : TextColor::kBad;
}

std::string DrawNumbers(const ScoredLink& now, const ScoredLink& imagined,
                        const TextStyle& style) {
  TextTable table({{""}, {"now", true}, {"what if", true}, {"change", true}});
  const auto row = [&](const char* title, double a, double b, bool sign) {
    const auto text = [&](double value) {
      return sign ? absl::StrFormat("%+.4f", value)
                  : absl::StrFormat("%.4f", value);
    };
    table.AddRow({{title},
                  {text(a)},
                  {text(b)},
                  {absl::StrFormat("%+.4f", b - a),
                   b < a ? TextColor::kBad : TextColor::kGood}});
  };
  row("probability", now.probability, imagined.probability, false);
  // An older server does not say it.
  if (now.decision_threshold > 0 && imagined.decision_threshold > 0) {
    table.AddRow(
        {{"threshold"},
         {absl::StrFormat("%.4f", now.decision_threshold)},
         {absl::StrFormat("%.4f", imagined.decision_threshold)},
         {now.decision_threshold == imagined.decision_threshold ? "the same"
                                                                : "another"}});
  }
  table.AddRow({{"decision"},
                {DecisionText(now), DecisionColor(now)},
                {DecisionText(imagined), DecisionColor(imagined)},
                {now.decision == imagined.decision ? "the same" : "another"}});
  row("among kind", now.probability_among_kind, imagined.probability_among_kind,
      false);
  row("structure", now.logit_structural, imagined.logit_structural, true);
  if (now.scorer != "structural") {
    row(now.scorer == "ends" ? "ends" : "context", now.logit_context,
        imagined.logit_context, true);
  }
  if (now.logit_knowledge != 0 || imagined.logit_knowledge != 0) {
    row("vectors", now.logit_knowledge, imagined.logit_knowledge, true);
  }
  row("logit", now.logit, imagined.logit, true);
  return "\n" + table.Draw(style, kDrawingIndent);
}

std::string DrawSummaries(const ScoredLink& now, const ScoredLink& imagined,
                          const TextStyle& style) {
  std::string drawn = DrawHeading(style, "Why", "");
  for (const auto& [title, link] :
       {std::pair{"now      ", &now}, std::pair{"what if  ", &imagined}}) {
    const std::string start = std::string(kDrawingIndent, ' ') +
                              style.Paint(TextColor::kFaint, title);
    WrappedLine line(style, kDrawingIndent + 9, start);
    line.AddWords(TextColor::kPlain, link->explanation->summary);
    drawn += line.Finish();
  }
  return drawn;
}

// What the evidence stands for, which is the same in both answers.
std::string SubjectOf(const LinkExplanation& explanation,
                      const ExplainedEvidence& evidence,
                      const TextStyle& style) {
  if (!evidence.token) {
    std::string kind = evidence.group.empty() ? evidence.kind : evidence.group;
    absl::AsciiStrToLower(&kind);
    std::replace(kind.begin(), kind.end(), '_', ' ');
    return kind;
  }
  const ExplainedToken& token = explanation.tokens[*evidence.token];
  if (token.kind != ExplainedKind::kPath) return token.node.Label();
  std::string path;
  for (const ExplainedPathStep& step : token.path) {
    absl::StrAppend(&path, path.empty() ? "" : " ",
                    DrawArrow(style, step.relation, step.direction));
  }
  return path;
}

// What one thing that both scores may rest on does to each of them.
struct Effects {
  std::optional<double> now, imagined;
  std::string description;  // that of the imagined answer, where it has one

  double Change() const { return imagined.value_or(0) - now.value_or(0); }
};

std::vector<Effects> EffectsOf(const ScoredLink& now,
                               const ScoredLink& imagined,
                               const TextStyle& style) {
  std::map<std::string, Effects> by_subject;
  const auto read = [&](const ScoredLink& link,
                        std::optional<double> Effects::*side) {
    for (const ExplainedEvidence& evidence : link.explanation->evidence) {
      Effects& effects =
          by_subject[SubjectOf(*link.explanation, evidence, style)];
      effects.*side = (effects.*side).value_or(0) + evidence.logit_effect;
      effects.description = evidence.description;
    }
  };
  read(now, &Effects::now);
  read(imagined, &Effects::imagined);
  std::vector<Effects> all;
  for (auto& [subject, effects] : by_subject) {
    if (effects.description.empty()) effects.description = subject;
    if (std::abs(effects.Change()) >= kLeastShown) all.push_back(effects);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Effects& a, const Effects& b) {
                     return std::abs(a.Change()) > std::abs(b.Change());
                   });
  if (all.size() > kMostRows) all.resize(kMostRows);
  return all;
}

std::string DrawEvidence(const ScoredLink& now, const ScoredLink& imagined,
                         const TextStyle& style) {
  const std::vector<Effects> all = EffectsOf(now, imagined, style);
  if (all.empty()) return "";
  const auto text = [](const std::optional<double>& effect) {
    return effect ? absl::StrFormat("%+8.4f", *effect)
                  : std::string("       -");
  };
  std::string drawn =
      DrawHeading(style, "Evidence",
                  "what it adds to the logit; where that differs most") +
      style.Paint(TextColor::kFaint,
                  "       now   what if    change  evidence") +
      "\n";
  constexpr size_t kWidth = 2 + 3 * (8 + 2);
  for (const Effects& effects : all) {
    const double change = effects.Change();
    const std::string start = absl::StrCat(
        "  ", text(effects.now), "  ", text(effects.imagined), "  ",
        style.Paint(change < 0 ? TextColor::kBad : TextColor::kGood,
                    absl::StrFormat("%+8.4f", change)),
        "  ");
    WrappedLine line(style, kWidth, start);
    line.AddWords(TextColor::kPlain, effects.description);
    drawn += line.Finish();
  }
  return drawn;
}

// Of a node with many neighbours the search takes every n-th. One neighbour
// more, and it takes others.
std::string DrawSampling(const ScoredLink& now, const ScoredLink& imagined,
                         const TextStyle& style) {
  if (!now.explanation->truncated && !imagined.explanation->truncated)
    return "";
  WrappedLine line(style, kDrawingIndent);
  line.AddWords(TextColor::kFaint,
                "of nodes with many neighbours only a sample is searched; a "
                "change of such a node draws another sample, and a part of "
                "the difference can come from that");
  return "\n" + line.Finish();
}

}  // namespace

std::string DrawChanges(const WhatIfQuery& query, const TextStyle& style) {
  std::string drawn;
  for (size_t i = 0; i < query.size(); ++i) {
    WrappedLine line(style, kDrawingIndent);
    line.AddWords(TextColor::kPlain, "what if: " + DescribeChange(query, i));
    drawn += line.Finish();
  }
  return drawn;
}

std::string DrawWhatIf(const WhatIfQuery& query, const ScoredLink& now,
                       const ScoredLink& imagined, const TextStyle& style) {
  std::string drawn = DrawQuestion(now, style) + DrawChanges(query, style) +
                      DrawNumbers(now, imagined, style);
  if (now.explanation && imagined.explanation) {
    drawn += DrawSummaries(now, imagined, style) +
             DrawEvidence(now, imagined, style) +
             DrawSampling(now, imagined, style);
  }
  return drawn;
}

}  // namespace slice
