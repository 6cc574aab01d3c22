// A dialect is recognised from a sample of rows, in these steps:
//   1. A first row with a tab is plain. slice has always read such files so.
//   2. Otherwise commas and semicolons are tried. One of them separates when
//      nearly all rows have as many of its fields as the first row, two at
//      least. The one with more fields wins, and semicolons when both have as
//      many: a name has a comma more often.
//   3. A file of blanks may have commas in its keys (AreKeysWith).
//   4. With commas and semicolons quotes always count. With tabs and blanks
//      they count when a field of the sample is in quotes and every field that
//      begins with one also ends with one. So a key that contains a quote by
//      chance is kept as it is.
#include "common/table/dialect_recognition.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "common/table/line_reader.h"
#include "common/table/text_fields.h"
#include "common/text_width.h"

namespace slice {
namespace {

constexpr size_t kSampleRows = 4000;
constexpr size_t kShownBytes = 80;
// The share of rows that must have as many fields as the first one.
constexpr double kNearlyAll = 0.8;
constexpr size_t kLinkFields = 3;

bool IsCsv(Separator separator) {
  return separator == Separator::kComma || separator == Separator::kSemicolon;
}

// How a separator cuts the first rows of a text.
struct Cut {
  TableSample sample;
  double agreeing = 0;     // share of the rows with as many fields as the first
  bool quotes = false;     // a field is in quotes
  bool malformed = false;  // a quote begins a field and does not end it
  bool inner_blanks = false;  // a field contains a blank

  size_t fields() const {
    return sample.rows.empty() ? 0 : sample.rows.front().size();
  }
  bool separates() const { return fields() >= 2 && agreeing >= kNearlyAll; }
};

// The start of a text. Its last row may be cut off, unless it is whole.
struct TextStart {
  std::string_view text;
  bool is_whole = true;

  // Whether the row of `line` is cut off within quotes.
  bool CutsRow(std::string_view line, const TableDialect& dialect) const {
    const std::string_view rest = text.substr(line.data() - text.data());
    return !is_whole && rest.size() <= LineReader::kMostQuotedBytes &&
           HasOpenQuote(rest, dialect);
  }
};

Cut CutRows(const TextStart& start, const TableDialect& dialect) {
  Cut cut;
  cut.sample.dialect = dialect;
  LineReader lines(start.text);
  lines.SetDialect(dialect);
  FieldSplitter splitter(dialect), literal({dialect.separator, false});
  std::vector<TextField> fields;
  size_t read = 0, agreeing = 0;
  for (auto line = lines.Next(); line && read < kSampleRows;
       line = lines.Next(), ++read) {
    const bool malformed = splitter.Split(line->text, &fields).has_value();
    if (malformed && start.CutsRow(line->text, dialect)) break;
    if (read == 0) cut.sample.first_line = line->text;
    if (malformed) {
      // Its separators still tell something.
      cut.malformed = true;
      literal.Split(line->text, &fields);
      agreeing += fields.size() == cut.fields() || cut.fields() == 0;
      continue;
    }
    cut.quotes |= splitter.quoted_fields() > 0;
    std::vector<std::string>& row = cut.sample.rows.emplace_back();
    for (const TextField& field : fields) {
      row.emplace_back(field.text);
      cut.inner_blanks |= field.text.find(' ') != std::string_view::npos;
    }
    agreeing += row.size() == cut.fields();
  }
  cut.agreeing = double(agreeing) / double(std::max<size_t>(read, 1));
  return cut;
}

// How many values column `i` has.
size_t CountValues(const Cut& cut, size_t i) {
  std::set<std::string_view> values;
  for (const std::vector<std::string>& row : cut.sample.rows) {
    if (i < row.size()) values.insert(row[i]);
  }
  return values.size();
}

// Whether the rows of a file of blanks have `separator` in their keys, as in
// "knows Smith,John Doe,Jane". Both keys have it in all rows, and the relation
// in front of them in none. Relations recur, and have no more values than any
// field that the separator makes; in "Ann Lee,Bob Ray,knows" they would.
bool AreKeysWith(char separator, const Cut& blanks, const Cut& separated) {
  const auto& rows = blanks.sample.rows;
  if (blanks.fields() < kLinkFields || blanks.agreeing < 1) return false;
  const auto has = [&](const std::string& field) {
    return field.find(separator) != std::string::npos;
  };
  const bool in_keys = std::all_of(
      rows.begin(), rows.end(), [&](const std::vector<std::string>& row) {
        return row.size() >= kLinkFields && !has(row.front()) &&
               has(row[row.size() - 2]) && has(row.back());
      });
  const size_t relations = CountValues(blanks, 0);
  if (!in_keys || 2 * relations > rows.size() + 1) return false;
  for (size_t i = 0; i < separated.fields(); ++i) {
    if (CountValues(separated, i) < relations) return false;
  }
  return true;
}

Separator RecogniseSeparator(const TextStart& start) {
  const auto cut_at = [&](Separator separator) {
    return CutRows(start, {separator, /*quoted=*/true});
  };
  const Cut blanks = cut_at(Separator::kBlanks);
  if (blanks.sample.first_line.find('\t') != std::string::npos)
    return Separator::kPlain;
  const Cut comma = cut_at(Separator::kComma);
  const Cut semicolon = cut_at(Separator::kSemicolon);
  if (!comma.separates() && !semicolon.separates()) return Separator::kPlain;
  const bool is_comma =
      comma.separates() &&
      (!semicolon.separates() || comma.fields() > semicolon.fields());
  const Cut& best = is_comma ? comma : semicolon;
  if (best.inner_blanks && !best.quotes &&
      AreKeysWith(is_comma ? ',' : ';', blanks, best))
    return Separator::kPlain;
  return best.sample.dialect.separator;
}

}  // namespace

TableSample ReadSample(std::string_view text, bool is_whole,
                       const TableFormat& format) {
  const size_t last_end = text.rfind('\n');
  if (!is_whole && last_end != std::string_view::npos)
    text = text.substr(0, last_end);
  const TextStart start{text, is_whole};
  TableDialect dialect;
  dialect.separator =
      format.separator ? *format.separator : RecogniseSeparator(start);
  dialect.quoted = format.quoted.value_or(true);
  Cut cut = CutRows(start, dialect);
  cut.sample.shows_quotes = format.quoted.value_or(cut.quotes || cut.malformed);
  // With commas the first quote may stand behind the sample, and one that is
  // not closed is a mistake to report.
  if (format.quoted.has_value() || IsCsv(dialect.separator) ||
      (cut.quotes && !cut.malformed))
    return std::move(cut.sample);
  dialect.quoted = false;
  return CutRows(start, dialect).sample;
}

std::string TableSample::Describe() const {
  return DescribeDialect({dialect.separator, dialect.quoted && shows_quotes},
                         first_line);
}

std::string ShownLine(std::string_view line) {
  std::string_view shown = line.substr(0, kShownBytes);
  // Does not cut a character in two.
  if (shown.size() < line.size() && ValidUtf8Prefix(line) >= shown.size())
    shown = shown.substr(0, ValidUtf8Prefix(shown));
  const std::string text(shown);
  const std::string escaped = ValidUtf8Prefix(shown) == shown.size()
                                  ? absl::Utf8SafeCHexEscape(text)
                                  : absl::CHexEscape(text);
  return absl::StrCat(escaped, shown.size() < line.size() ? "..." : "");
}

}  // namespace slice
