// The fields of a line: how they are separated, and what they may contain.
#ifndef SLICE_GRAPHSTORE_TEXT_FIELDS_H_
#define SLICE_GRAPHSTORE_TEXT_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graphstore/line_reader.h"

namespace slice {

// A part of a line.
struct TextField {
  std::string_view text;
  size_t column = 1;  // where it begins in the line, in bytes, from 1
};

// If the line contains a tab, splits it at every tab; fields may then be empty
// or contain blanks. Otherwise splits it at runs of blanks.
void SplitFields(std::string_view line, std::vector<TextField>* fields);

// Checks that there are between `least` and `most` fields. `names` are the
// names of the fields in messages.
std::optional<LineError> CheckFieldCount(const TextLine& line,
                                         const std::vector<TextField>& fields,
                                         size_t least, size_t most,
                                         const std::vector<std::string>& names);

// Checks a key, relation or type: not empty, valid UTF-8, no control bytes.
// `name` is the name of the field in the message.
std::optional<LineError> CheckIdentifier(const TextField& field,
                                         std::string_view name);

// The position of the first byte that is not valid UTF-8 (RFC 3629); nullopt
// when all bytes are valid.
std::optional<size_t> FindInvalidUtf8(std::string_view text);

// `text` with its control characters (U+0000 to U+001F and U+007F to U+009F)
// replaced by U+FFFD. Adds their number to `replaced`. REQUIRES: valid UTF-8.
std::string ReplaceControls(std::string_view text, uint64_t* replaced);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_TEXT_FIELDS_H_
