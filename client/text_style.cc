// The style is found once, from the environment. Output has colour when
// standard output is a terminal, and box-drawing characters when the locale is
// UTF-8. The length of a bar is a multiple of an eighth of a cell. Names are
// made printable before they are cut, so that no name can control the terminal.
#include "client/text_style.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/text_width.h"
#include "common/thousands.h"

namespace slice {
namespace {

constexpr size_t kDefaultWidth = 100;
constexpr size_t kMinWidth = 40;

constexpr Glyphs kUnicodeGlyphs = {"●",
                                   "◎",
                                   "○",
                                   "├",
                                   "└",
                                   "│",
                                   "─",
                                   "▶",
                                   "◀",
                                   "…",
                                   "\uFFFD",
                                   "░",
                                   {"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"}};

constexpr Glyphs kAsciiGlyphs = {"*",
                                 "@",
                                 "o",
                                 "|",
                                 "`",
                                 "|",
                                 "-",
                                 ">",
                                 "<",
                                 "~",
                                 "?",
                                 ".",
                                 {" ", " ", " ", "#", "#", "#", "#", "#"}};

const char* EscapeCode(TextColor color) {
  switch (color) {
    case TextColor::kPlain:
      return "";
    case TextColor::kBold:
      return "1";
    case TextColor::kFaint:
      return "2";
    case TextColor::kSource:
      return "1;36";
    case TextColor::kTarget:
      return "1;35";
    case TextColor::kGood:
      return "1;32";
    case TextColor::kBad:
      return "1;31";
  }
  return "";
}

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Looks at the variables that decide the character set. The first one that is
// set decides, in the order of POSIX.
bool LocaleIsUtf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string value = absl::AsciiStrToLower(Environment(name));
    if (!value.empty())
      return absl::StrContains(value, "utf-8") ||
             absl::StrContains(value, "utf8");
  }
  return false;
}

size_t DetectWidth(bool terminal) {
  winsize size = {};
  int columns = 0;
  if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
      size.ws_col > 0) {
    columns = size.ws_col;
  } else if (!absl::SimpleAtoi(Environment("COLUMNS"), &columns) ||
             columns <= 0) {
    columns = kDefaultWidth;
  }
  return std::max(kMinWidth, static_cast<size_t>(columns));
}

}  // namespace

const Glyphs& TextStyle::glyphs() const {
  return unicode ? kUnicodeGlyphs : kAsciiGlyphs;
}

std::string TextStyle::Paint(TextColor paint, std::string_view text) const {
  if (!color || paint == TextColor::kPlain || text.empty())
    return std::string(text);
  return "\x1b[" + std::string(EscapeCode(paint)) + "m" + std::string(text) +
         "\x1b[0m";
}

std::string TextStyle::Name(std::string_view name, size_t columns) const {
  return CutToWidth(Name(name), std::max<size_t>(1, columns),
                    glyphs().ellipsis);
}

std::string TextStyle::Name(std::string_view name) const {
  return Printable(name, glyphs().replacement);
}

std::string TextStyle::Count(uint64_t count) const {
  return terminal ? FormatThousands(count) : absl::StrCat(count);
}

std::string TextStyle::Bar(double fraction, size_t cells, bool track) const {
  if (!(fraction > 0)) fraction = 0;  // also for NaN
  const size_t eighths = static_cast<size_t>(
      std::lround(std::min(1.0, fraction) * 8.0 * static_cast<double>(cells)));
  std::string bar;
  for (size_t i = 0; i < eighths / 8; ++i) bar += glyphs().bar_cells[7];
  size_t drawn = eighths / 8;
  if (eighths % 8 > 0) {
    const char* partial = glyphs().bar_cells[eighths % 8 - 1];
    if (*partial != ' ') {
      bar += partial;
      ++drawn;
    }
  }
  for (; track && drawn < cells; ++drawn) bar += glyphs().bar_track;
  return bar;
}

TextStyle DetectTextStyle(bool ascii) {
  TextStyle style;
  style.terminal = isatty(STDOUT_FILENO) != 0;
  style.color = style.terminal && Environment("NO_COLOR").empty() &&
                Environment("TERM") != "dumb";
  style.unicode = !ascii && LocaleIsUtf8();
  style.width = DetectWidth(style.terminal);
  return style;
}

}  // namespace slice
