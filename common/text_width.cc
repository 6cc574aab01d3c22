// All functions go through the text character by character (Decode, by the
// table of RFC 3629) and look the code point up in two tables of ranges. The
// tables cover what names contain in practice, not all of Unicode: combining
// marks and invisible characters take no column, East Asian characters and
// emoji two, and everything else one. At a byte that starts no valid character,
// DisplayWidth and CutToWidth end; Printable replaces this one byte and goes
// on.
#include "common/text_width.h"

#include <cstdint>
#include <iterator>

namespace slice {
namespace {

struct CodePointRange {
  uint32_t first;
  uint32_t last;
};

// Blocks of combining marks, joiners and variation selectors.
constexpr CodePointRange kZeroWidth[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x064B, 0x065F},
    {0x0900, 0x0902}, {0x093A, 0x093A}, {0x093C, 0x093C}, {0x0941, 0x0948},
    {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x2069},
    {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF},
};

// Blocks that terminals draw two columns wide (Unicode TR 11, "W" and "F").
constexpr CodePointRange kDoubleWidth[] = {
    {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF},
    {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
    {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F},
    {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
};

template <size_t N>
bool Contains(const CodePointRange (&ranges)[N], uint32_t code_point) {
  for (const CodePointRange& range : ranges) {
    if (code_point >= range.first && code_point <= range.last) return true;
  }
  return false;
}

struct Decoded {
  uint32_t code_point = 0;
  size_t bytes = 0;  // 0: no valid character
};

// The character at the start of `text`, by the table of RFC 3629.
Decoded Decode(std::string_view text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<uint8_t>(text[i]) : 0u;
  };
  const uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return {};
  uint32_t code_point = lead & (0x7F >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code_point = code_point << 6 | (byte(i) & 0x3F);
  }
  const bool overlong = (bytes == 3 && code_point < 0x800) ||
                        (bytes == 4 && code_point < 0x10000);
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (overlong || surrogate || code_point > 0x10FFFF) return {};
  return {code_point, bytes};
}

size_t ColumnsOf(uint32_t code_point) {
  if (Contains(kZeroWidth, code_point)) return 0;
  return Contains(kDoubleWidth, code_point) ? 2 : 1;
}

bool IsControl(uint32_t code_point) {
  // The last two ranges are the bidirectional controls, which would reorder the
  // text around a name.
  return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0) ||
         (code_point >= 0x202A && code_point <= 0x202E) ||
         (code_point >= 0x2066 && code_point <= 0x2069);
}

}  // namespace

size_t ValidUtf8Prefix(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    const Decoded decoded = Decode(text.substr(at));
    if (decoded.bytes == 0) break;
    at += decoded.bytes;
  }
  return at;
}

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) {
    const Decoded decoded = Decode(text.substr(at));
    if (decoded.bytes == 0) break;
    width += ColumnsOf(decoded.code_point);
    at += decoded.bytes;
  }
  return width;
}

std::string Printable(std::string_view text, std::string_view replacement) {
  std::string printable;
  printable.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const Decoded decoded = Decode(text.substr(at));
    if (decoded.bytes == 0 || IsControl(decoded.code_point)) {
      printable += replacement;
    } else {
      printable += text.substr(at, decoded.bytes);
    }
    at += decoded.bytes == 0 ? 1 : decoded.bytes;
  }
  return printable;
}

std::string CutToWidth(std::string_view text, size_t width,
                       std::string_view ellipsis) {
  if (DisplayWidth(text) <= width) return std::string(text);
  const size_t room = width - DisplayWidth(ellipsis);
  size_t at = 0;
  for (size_t used = 0; at < text.size();) {
    const Decoded decoded = Decode(text.substr(at));
    if (decoded.bytes == 0) break;
    used += ColumnsOf(decoded.code_point);
    if (used > room) break;
    at += decoded.bytes;
  }
  return std::string(text.substr(0, at)) + std::string(ellipsis);
}

}  // namespace slice
