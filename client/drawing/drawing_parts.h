// Pieces that the drawings of an explanation share.
#ifndef SLICE_CLIENT_DRAWING_DRAWING_PARTS_H_
#define SLICE_CLIENT_DRAWING_DRAWING_PARTS_H_

#include <cstddef>
#include <string>

#include "client/explanation_types.h"
#include "client/text_style.h"

namespace slice {

// The indentation of a drawing below a heading.
inline constexpr size_t kDrawingIndent = 2;

// An empty line, then "Title  note"; the note is cut to the style's width.
std::string DrawHeading(const TextStyle& style, const std::string& title,
                        const std::string& note);

// "1 hop", "2 hops".
std::string Plural(size_t count, const std::string& noun);

// "── tagged ─▶", or "◀─ tagged ──" against the direction.
std::string DrawArrow(const TextStyle& style, const std::string& relation,
                      ArcDirection direction);

// "0.250 ██▌", with a bar of at most `cells` columns.
std::string DrawAttentionBar(const TextStyle& style, float attention,
                             size_t cells);

// "+0.31": how much the logit falls without the token. Empty for the two ends.
std::string DrawEffect(const ExplainedToken& token);

// Puts pieces on lines no wider than the style, each line indented.
class WrappedLine {
 public:
  // `style` must outlive the object. The first line starts with `start` instead
  // of blanks, unless it is empty. REQUIRES: `start` is `indent` columns wide.
  WrappedLine(const TextStyle& style, size_t indent,
              const std::string& start = "");

  void Add(TextColor color, const std::string& piece);

  // The lines, each with its line break.
  std::string Finish() { return std::move(text_) + "\n"; }

 private:
  const TextStyle& style_;
  const size_t indent_;
  std::string text_;
  size_t used_;
};

}  // namespace slice

#endif  // SLICE_CLIENT_DRAWING_DRAWING_PARTS_H_
