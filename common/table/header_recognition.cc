#include "common/table/header_recognition.h"

#include <map>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "common/table/column_names.h"

namespace slice {
namespace {

using Row = std::vector<std::string>;

// A number, or a date or time of digits such as 2020-03-01 or 12:30:05Z.
bool IsValue(const std::string& text) {
  double number = 0;
  return absl::SimpleAtod(text, &number) ||
         (!text.empty() && absl::ascii_isdigit(text[0]) &&
          text.find_first_not_of("0123456789-/:.+ TZ") == std::string::npos);
}

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

bool NamesBothEnds(const std::vector<Row>& rows) {
  const auto source = FindLinkColumn(rows.front(), LinkRole::kSource);
  const auto target = FindLinkColumn(rows.front(), LinkRole::kTarget);
  return source && target && !RecursBelow(rows, *source) &&
         !RecursBelow(rows, *target);
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
  if (rows.size() < (plain ? kManyRows : 2)) return false;
  const Row& first = rows.front();
  for (size_t i = 0; i < first.size(); ++i) {
    if (!first[i].empty() && !IsValue(first[i]) && AllBelow(rows, i, IsValue))
      return true;
  }
  return false;
}

// Whether the first row shares no field with the others, while these share all
// values of a column.
bool StandsAlone(const std::vector<Row>& rows) {
  if (rows.size() < kManyRows || AnyRecursBelow(rows)) return false;
  for (size_t i = 0; i < rows.front().size(); ++i) {
    std::map<std::string_view, size_t> counts;
    for (const Row& row : rows) {
      if (i < row.size()) ++counts[row[i]];
    }
    if (std::count_if(counts.begin(), counts.end(),
                      [](const auto& c) { return c.second == 1; }) == 1)
      return true;
  }
  return false;
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

HeaderGuess GuessHeader(const TableSample& sample) {
  const std::vector<Row>& rows = sample.rows;
  const Row& first = rows.front();
  if (FindLinkColumn(first, LinkRole::kSource) &&
      FindLinkColumn(first, LinkRole::kTarget)) {
    return NamesBothEnds(rows) ? HeaderGuess::kYes : HeaderGuess::kNo;
  }
  if (NamesKeys(rows) || HasValuesBelowAWord(sample)) return HeaderGuess::kYes;
  if (sample.dialect.separator == Separator::kPlain || !StandsAlone(rows))
    return HeaderGuess::kNo;
  return NamesAColumn(first) ? HeaderGuess::kYes : HeaderGuess::kPerhaps;
}

}  // namespace slice
