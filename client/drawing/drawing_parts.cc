#include "client/drawing/drawing_parts.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/text_width.h"
#include "common/thousands.h"

namespace slice {

std::string DrawHeading(const TextStyle& style, const std::string& title,
                        const std::string& note) {
  const std::string painted = style.Paint(TextColor::kBold, title);
  if (note.empty()) return "\n" + painted + "\n";
  WrappedLine line(style, title.size() + 2, painted + "  ");
  line.AddWords(TextColor::kFaint, note);
  return "\n" + line.Finish();
}

std::string Plural(size_t count, const std::string& noun) {
  return absl::StrCat(FormatThousands(count), " ", noun, count == 1 ? "" : "s");
}

std::string DrawArrow(const TextStyle& style, const std::string& relation,
                      ArcDirection direction) {
  const Glyphs& glyphs = style.glyphs();
  const bool in = direction == ArcDirection::kIn;
  return absl::StrCat(in ? glyphs.to_left : glyphs.horizontal,
                      glyphs.horizontal, " ", style.Name(relation), " ",
                      glyphs.horizontal,
                      in ? glyphs.horizontal : glyphs.to_right);
}

std::string DrawAttentionBar(const TextStyle& style, float attention,
                             size_t cells) {
  return absl::StrFormat("%.3f ", attention) +
         style.Bar(attention, cells, false);
}

std::string ShownType(const NodeInfo& node) {
  return node.type == "node" ? "" : node.type;
}

std::string DrawEffect(const LinkExplanation& explanation, size_t position) {
  const ExplainedToken& token = explanation.tokens[position];
  if (token.role == ExplainedRole::kSource ||
      token.role == ExplainedRole::kTarget) {
    return "";
  }
  return absl::StrFormat("%+.2f", token.logit_effect);
}

WrappedLine::WrappedLine(const TextStyle& style, size_t indent,
                         const std::string& start)
    : style_(style),
      indent_(indent),
      text_(start.empty() ? std::string(indent, ' ') : start),
      used_(indent) {}

void WrappedLine::Add(TextColor color, const std::string& piece) {
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

void WrappedLine::AddWords(TextColor color, const std::string& text) {
  const std::string printable = style_.Name(text);
  for (size_t begin = 0; begin < printable.size();) {
    const size_t end = std::min(printable.find(' ', begin), printable.size());
    if (end > begin) Add(color, printable.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace slice
