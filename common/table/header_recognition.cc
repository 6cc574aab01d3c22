#include "common/table/header_recognition.h"

#include <map>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "common/table/column_names.h"

namespace slice {
namespace {

using Row = std::vector<std::string>;

// Hardly any row is alone: less than one in this many.
constexpr size_t kRowsPerLonely = 100;

// Whether another row has the same field in column `i`. Repetitions of the
// whole row do not count.
bool RecursBelow(const std::vector<Row>& rows, size_t i) {
  const Row& first = rows.front();
  return std::any_of(rows.begin() + 1, rows.end(), [&](const Row& row) {
    return row != first && i < row.size() && row[i] == first[i];
  });
}

bool AnyRecursBelow(const std::vector<Row>& rows) {
  for (size_t i = 0; i < rows.front().size(); ++i) {
    if (RecursBelow(rows, i)) return true;
  }
  return false;
}

bool NamesKeys(const std::vector<Row>& rows) {
  const Row& first = rows.front();
  return std::all_of(first.begin(), first.end(), LooksLikeColumnOfKeys) &&
         !AnyRecursBelow(rows);
}

bool HasValuesBelowAWord(const TableSample& sample) {
  // In a plain file a few numbers below a word may be keys.
  const bool plain = sample.dialect.separator == Separator::kPlain;
  const std::vector<Row>& rows = sample.rows;
  const Row& first = rows.front();
  if (rows.size() < (plain ? kManyRows : 2) || AnyRecursBelow(rows) ||
      std::all_of(rows.begin(), rows.end(),
                  [&](const Row& row) { return row == first; }))
    return false;
  for (size_t i = 0; i < first.size(); ++i) {
    if (!first[i].empty() && !IsValue(first[i]) && AllBelow(rows, i, IsValue))
      return true;
  }
  return false;
}

// How often each value occurs, by column.
using Counts = std::vector<std::map<std::string_view, size_t>>;

Counts CountValues(const std::vector<Row>& rows) {
  Counts counts(rows.front().size());
  for (const Row& row : rows) {
    for (size_t i = 0; i < std::min(row.size(), counts.size()); ++i)
      ++counts[i][row[i]];
  }
  return counts;
}

// Whether no other row has one of the row's fields in its column.
bool IsAlone(const Row& row, const Counts& counts) {
  for (size_t i = 0; i < std::min(row.size(), counts.size()); ++i) {
    if (counts[i].at(row[i]) > 1) return false;
  }
  return true;
}

// Whether the first row shares no field with the others, although rows of this
// file do: the others share all values of a column, or hardly any is alone.
bool StandsAlone(const std::vector<Row>& rows) {
  if (rows.size() < kManyRows || AnyRecursBelow(rows)) return false;
  const Counts counts = CountValues(rows);
  for (const auto& values : counts) {
    if (std::count_if(values.begin(), values.end(),
                      [](const auto& v) { return v.second == 1; }) == 1)
      return true;
  }
  const auto alone =
      std::count_if(rows.begin() + 1, rows.end(),
                    [&](const Row& row) { return IsAlone(row, counts); });
  return kRowsPerLonely * static_cast<size_t>(alone) < rows.size() &&
         rows.size() >= kRowsPerLonely;
}

bool NamesAColumn(const Row& row) {
  constexpr LinkRole kRoles[] = {LinkRole::kSource,   LinkRole::kTarget,
                                 LinkRole::kRelation, LinkRole::kLabel,
                                 LinkRole::kWeight,   LinkRole::kTime};
  return std::any_of(std::begin(kRoles), std::end(kRoles), [&](LinkRole role) {
    return FindLinkColumn(row, role).has_value();
  });
}

}  // namespace

bool IsValue(const std::string& text) {
  double number = 0;
  return absl::SimpleAtod(text, &number) ||
         (!text.empty() && absl::ascii_isdigit(text[0]) &&
          text.find_first_not_of("0123456789-/:.+ TZ") == std::string::npos);
}

HeaderGuess GuessHeader(const TableSample& sample) {
  const std::vector<Row>& rows = sample.rows;
  const Row& first = rows.front();
  const auto source = FindLinkColumn(first, LinkRole::kSource);
  const auto target = FindLinkColumn(first, LinkRole::kTarget);
  if (source && target) {
    return RecursBelow(rows, *source) || RecursBelow(rows, *target)
               ? HeaderGuess::kNo
               : HeaderGuess::kYes;
  }
  if (NamesKeys(rows) || HasValuesBelowAWord(sample)) return HeaderGuess::kYes;
  const bool plain = sample.dialect.separator == Separator::kPlain;
  const bool has_tabs = sample.first_line.find('\t') != std::string::npos;
  if ((plain && !has_tabs) || !StandsAlone(rows)) return HeaderGuess::kNo;
  // A plain file seldom has a header, and a relation may be called as a column.
  return NamesAColumn(first) && !plain ? HeaderGuess::kYes
                                       : HeaderGuess::kPerhaps;
}

}  // namespace slice
