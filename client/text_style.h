// How text is drawn: its colour, its characters (box drawing or ASCII) and its
// width.
#ifndef SLICE_CLIENT_TEXT_STYLE_H_
#define SLICE_CLIENT_TEXT_STYLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace slice {

enum class TextColor { kPlain, kBold, kFaint, kSource, kTarget, kGood, kBad };

// The characters of drawings. Every entry is one column wide.
struct Glyphs {
  const char* source;
  const char* target;
  const char* between;
  const char* branch;
  const char* last_branch;
  const char* vertical;
  const char* horizontal;
  const char* to_right;
  const char* to_left;
  const char* ellipsis;
  const char* replacement;  // stands for a control character
  const char* bar_track;
  const char* bar_cells[8];  // one to eight eighths of a cell
};

// A value, cheap to copy.
struct TextStyle {
  bool terminal = false;  // results go to a terminal
  bool color = false;
  bool unicode = true;
  size_t width = 100;

  const Glyphs& glyphs() const;

  // `text` between escape sequences when colour is on.
  std::string Paint(TextColor color, std::string_view text) const;

  // A name without control characters, cut to `width` columns.
  std::string Name(std::string_view name, size_t width) const;
  std::string Name(std::string_view name) const;

  // A count: with its thousands apart on a terminal, plain for programs.
  std::string Count(uint64_t count) const;

  // A bar: of `cells` columns, the share `fraction` (clamped to [0, 1]) is
  // filled. The rest is drawn as bar_track when `track` is set, and is left out
  // otherwise.
  std::string Bar(double fraction, size_t cells, bool track) const;
};

// The style for standard output. It has colour on a terminal, unless NO_COLOR
// is set or TERM is "dumb". It has box-drawing characters when the locale of
// the environment is UTF-8 and `ascii` is not set. Its width is the terminal's,
// or else COLUMNS, or else 100; it is at least 40.
TextStyle DetectTextStyle(bool ascii);

}  // namespace slice

#endif  // SLICE_CLIENT_TEXT_STYLE_H_
