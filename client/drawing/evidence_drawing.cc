// Both drawings have rows of numbers with a text behind them. The text takes
// the rest of the line and continues on the next lines in the same column, so
// that nothing is cut.
#include "client/drawing/evidence_drawing.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/drawing/drawing_parts.h"

namespace slice {
namespace {

constexpr size_t kMostRows = 8;
constexpr size_t kBarCells = 5;
constexpr double kSmallest = 1e-9;  // avoids a division by 0

// A row: `start` and then `text`, wrapped behind it.
std::string Row(const std::string& start, size_t start_width,
                const std::string& text, const TextStyle& style) {
  WrappedLine line(style, start_width, start);
  line.AddWords(TextColor::kPlain, text);
  return line.Finish();
}

std::string Titles(const std::string& titles, const TextStyle& style) {
  return style.Paint(TextColor::kFaint, titles) + "\n";
}

// An effect that four digits show as 0 is 0, without a sign or a bar.
double AsShown(double effect) { return std::abs(effect) < 5e-5 ? 0 : effect; }

TextColor ColorOf(double value) {
  return value < 0 ? TextColor::kBad : TextColor::kGood;
}

std::string DrawItem(const ExplainedEvidence& item, double largest,
                     const TextStyle& style) {
  const double effect = AsShown(item.logit_effect);
  const std::string start = absl::StrCat(
      item.named ? "* " : "  ", absl::StrFormat("%+8.4f", effect), "  ",
      style.Paint(ColorOf(effect),
                  SignedBar(style, effect / largest, kBarCells)),
      absl::StrFormat("  %7.4f  ", item.probability_without));
  constexpr size_t kWidth = 2 + 8 + 2 + 2 * kBarCells + 1 + 2 + 7 + 2;
  return Row(start, kWidth, item.description, style);
}

}  // namespace

std::string SignedBar(const TextStyle& style, double fraction, size_t cells) {
  const Glyphs& glyphs = style.glyphs();
  size_t filled = static_cast<size_t>(std::lround(
      std::min(1.0, std::abs(fraction)) * static_cast<double>(cells)));
  if (fraction != 0) filled = std::max<size_t>(filled, 1);
  std::string bar;
  const auto half = [&](bool used, bool left) {
    const size_t count = used ? filled : 0;
    std::string blocks;
    for (size_t i = 0; i < count; ++i) blocks += glyphs.bar_cells[7];
    const std::string blanks(cells - count, ' ');
    bar += left ? blanks + blocks : blocks + blanks;
  };
  half(fraction < 0, true);
  bar += glyphs.vertical;
  half(fraction > 0, false);
  return bar;
}

std::string DrawEvidence(const LinkExplanation& explanation,
                         const TextStyle& style) {
  const std::vector<ExplainedEvidence>& items = explanation.evidence;
  if (items.empty()) return "";
  const double largest =
      std::max(kSmallest, static_cast<double>(std::abs(items[0].logit_effect)));
  std::string drawn =
      DrawHeading(style, "Evidence", "what the score loses without it") +
      Titles("    effect               becomes  what (* = named above)", style);
  size_t left_out = 0;
  double most_left_out = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i < kMostRows || items[i].named) {
      drawn += DrawItem(items[i], largest, style);
    } else {
      ++left_out;
      most_left_out =
          std::max<double>(most_left_out, std::abs(items[i].logit_effect));
    }
  }
  if (left_out > 0) {
    drawn += Row("  ", kDrawingIndent,
                 absl::StrCat(left_out, " more change the logit by at most ",
                              absl::StrFormat("%.4f", most_left_out)),
                 style);
  }
  if (std::none_of(items.begin(), items.end(),
                   [](const auto& item) { return item.named; })) {
    return drawn;
  }
  return drawn +
         Row("  ", kDrawingIndent,
             absl::StrFormat("without all that is named the probability "
                             "is %.4f, with that alone %.4f",
                             explanation.probability_without_named,
                             explanation.probability_only_named),
             style);
}

std::string DrawFeatures(const LinkExplanation& explanation,
                         std::span<const PairFeatureText> descriptions,
                         const TextStyle& style) {
  std::vector<ScaledFeature> features = explanation.pair_features;
  if (features.empty()) return "";
  std::stable_sort(features.begin(), features.end(),
                   [](const ScaledFeature& a, const ScaledFeature& b) {
                     return std::abs(a.contribution) > std::abs(b.contribution);
                   });
  const size_t shown = std::min(features.size(), kMostRows);
  const double largest = std::max(
      kSmallest, static_cast<double>(std::abs(features[0].contribution)));
  std::string drawn =
      DrawHeading(style, "Pair features",
                  absl::StrCat("the ", shown, " of ", features.size(),
                               " that move the structure most, each against "
                               "its mean")) +
      Titles("  contribution           value  what", style);
  for (const ScaledFeature& feature : std::span(features).first(shown)) {
    const auto known = std::find_if(
        descriptions.begin(), descriptions.end(),
        [&](const PairFeatureText& text) { return text.name == feature.name; });
    const std::string start = absl::StrCat(
        "  ", absl::StrFormat("%+8.4f", feature.contribution), "  ",
        style.Paint(
            ColorOf(feature.contribution),
            SignedBar(style, feature.contribution / largest, kBarCells)),
        absl::StrFormat("%+7.2f  ", feature.value));
    constexpr size_t kWidth = 2 + 8 + 2 + 2 * kBarCells + 1 + 7 + 2;
    drawn += Row(start, kWidth,
                 known == descriptions.end()
                     ? feature.name
                     : absl::StrCat(feature.name, ": ", known->description),
                 style);
  }
  return drawn;
}

}  // namespace slice
