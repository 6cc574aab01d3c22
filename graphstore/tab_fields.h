// Fields of the files with tabs that slice writes.
#ifndef SLICE_GRAPHSTORE_TAB_FIELDS_H_
#define SLICE_GRAPHSTORE_TAB_FIELDS_H_

#include <span>
#include <string>
#include <string_view>

namespace slice {

// Whether a text would be read as a field in quotes: it begins with a quote,
// or with blanks and a quote.
bool NeedsQuotes(std::string_view text);
// Whether the first field of a row needs quotes: also when it begins with #,
// because the row would be a comment.
bool FirstNeedsQuotes(std::string_view text);

// Appends the fields with tabs between them. Those that need quotes get them,
// as RFC 4180 says; with `quote_all`, all do. A reader looks at the first rows
// to see whether quotes count. So when any row of a file has quotes, write its
// first row with `quote_all`. REQUIRES: no field has a tab
// or a line end.
void AppendTabFields(std::span<const std::string_view> fields, bool quote_all,
                     std::string* row);

// Appends the shortest text that reads as the same float.
void AppendFloat(float value, std::string* row);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_TAB_FIELDS_H_
