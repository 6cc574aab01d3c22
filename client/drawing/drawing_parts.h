// Parts that several drawings of an explanation share.
#ifndef SLICE_CLIENT_DRAWING_DRAWING_PARTS_H_
#define SLICE_CLIENT_DRAWING_DRAWING_PARTS_H_

#include <cstddef>
#include <string>

#include "client/explanation_types.h"
#include "client/text_style.h"

namespace slice {

// The indentation of a drawing below a heading.
inline constexpr size_t kDrawingIndent = 2;

// An empty line, then "Title  note". The note is wrapped behind the title.
std::string DrawHeading(const TextStyle& style, const std::string& title,
                        const std::string& note);

// "1 hop", "1,234 hops".
std::string Plural(size_t count, const std::string& noun);

// "── tagged ─▶", or "◀─ tagged ──" when `direction` is kIn.
std::string DrawArrow(const TextStyle& style, const std::string& relation,
                      ArcDirection direction);

// "0.250 ██▌", with a bar of at most `cells` columns.
std::string DrawAttentionBar(const TextStyle& style, float attention,
                             size_t cells);

// The type of a node as drawings show it. Empty for "node", the type that all
// nodes of a graph without types have.
std::string ShownType(const NodeInfo& node);

// The effect of a token as drawn, such as "+0.31". Empty for the two ends.
std::string DrawEffect(const LinkExplanation& explanation, size_t token);

// Puts pieces of text one after the other on lines that are no wider than
// style.width. Each line is indented by `indent` blanks.
class WrappedLine {
 public:
  // `style` must outlive the object. Unless `start` is empty, the first line
  // starts with `start` instead of blanks. REQUIRES: `start` is `indent`
  // columns wide or empty.
  WrappedLine(const TextStyle& style, size_t indent,
              const std::string& start = "");

  // Adds a piece, after a blank or on a new line.
  void Add(TextColor color, const std::string& piece);
  // Adds the words of a text, each as a piece. Control characters are replaced.
  void AddWords(TextColor color, const std::string& text);

  // Returns the lines, each with its line break.
  std::string Finish() { return std::move(text_) + "\n"; }

 private:
  const TextStyle& style_;
  const size_t indent_;
  std::string text_;
  size_t used_;
};

}  // namespace slice

#endif  // SLICE_CLIENT_DRAWING_DRAWING_PARTS_H_
