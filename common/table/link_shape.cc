// The shape of a file is recognised in these steps:
//   1. The first rows tell the dialect (common/table/dialect_recognition.h).
//   2. The first row may be a header (common/table/header_recognition.h). The
//      flags may say so, or known relations (common/table/known_relations.h).
//   3. The columns are those of the flags, or those that the header names, or
//      the usual ones when the number of columns fits. A column of known
//      relations is the relation. So is, below a header, a column without a
//      known name that has few values. What is left are the source and the
//      target in turn; of more columns than that, numbers and dates are
//      neither. Two columns are source and target.
// Anything else is an error. A wrong guess would train on nonsense, so rows
// that speak against the usual columns are refused as well: a first row that
// may be a header, or a first column that is no relation.
#include "common/table/link_shape.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status_macros.h"
#include "common/table/column_names.h"
#include "common/table/column_roles.h"
#include "common/table/dialect_recognition.h"
#include "common/table/first_column.h"
#include "common/table/header_recognition.h"

namespace slice {
namespace {

using Row = std::vector<std::string>;

constexpr char kSeparatorHelp[] =
    "Separate the columns by tabs, blanks, commas or semicolons, and say which "
    "with --format when that is not recognised";
constexpr struct {
  LinkRole role;
  const char* name;
} kRoles[] = {{LinkRole::kSource, "source"},     {LinkRole::kTarget, "target"},
              {LinkRole::kRelation, "relation"}, {LinkRole::kLabel, "label"},
              {LinkRole::kWeight, "weight"},     {LinkRole::kTime, "time"}};

// The number of columns of most rows.
size_t UsualWidth(const std::vector<Row>& rows) {
  std::map<size_t, size_t> counts;
  for (const Row& row : rows) ++counts[row.size()];
  size_t width = rows.front().size();
  for (const auto& [columns, count] : counts) {
    if (count > counts[width]) width = columns;
  }
  return width;
}

// One recognition.
class Recognition {
 public:
  Recognition(const std::string& name, const LinkShapeOptions& options,
              TableSample sample)
      : name_(name), options_(options), sample_(std::move(sample)) {}

  absl::StatusOr<LinkShape> Run();

 private:
  const Row& first() const { return sample_.rows.front(); }

  HeaderGuess GuessFirstRow() const;
  bool MayBeHeader() const;
  absl::Status AskAboutHeader() const;
  absl::Status AskAboutRelation(size_t i, Row names) const;
  absl::Status CheckNamedEnds(const Row& names) const;
  absl::StatusOr<LinkColumns> NamedColumns() const;
  bool NameEnds(Row& names) const;
  void NameTime(Row& names) const;
  absl::StatusOr<LinkColumns> ColumnsAround(size_t relation) const;
  bool FitsUsualColumns(size_t width) const;
  absl::StatusOr<LinkColumns> UsualColumns() const;
  absl::Status CheckFirstColumn() const;
  absl::Status Unknown(const std::string& why, const std::string& help) const;
  std::string ColumnsHelp(Row names) const;
  std::optional<size_t> LikelyRelation(const Row& names) const;
  std::string Describe(const LinkShape& shape) const;

  const std::string& name_;
  const LinkShapeOptions& options_;
  const TableSample sample_;
  HeaderGuess guess_ = HeaderGuess::kNo;
  bool has_header_ = false;
};

// Known relations decide, unless the first row has the names of both ends: a
// relation may be called as its column is.
HeaderGuess Recognition::GuessFirstRow() const {
  if (options_.relations.StandBelowHeader(sample_.rows))
    return HeaderGuess::kYes;
  const bool names_ends =
      FindLinkColumn(first(), LinkRole::kSource).has_value() &&
      FindLinkColumn(first(), LinkRole::kTarget).has_value();
  return !names_ends && options_.relations.StandInFirst(sample_.rows)
             ? HeaderGuess::kNo
             : GuessHeader(sample_);
}

bool Recognition::MayBeHeader() const {
  return !options_.format.header.has_value() && guess_ == HeaderGuess::kPerhaps;
}

absl::Status Recognition::AskAboutHeader() const {
  return Unknown("the first line may be a header or a link",
                 "Give --format header or --format no-header");
}

// Both ends are known; column `i` may be the relation, or say something else.
absl::Status Recognition::AskAboutRelation(size_t i, Row names) const {
  const std::string with = absl::StrJoin(names, ",");
  names[i] = "_";
  return Unknown(
      absl::StrCat("the column \"", ShownLine(first()[i]),
                   "\" may be the relation"),
      absl::StrCat("Give --columns ", with, " if it is, or --columns ",
                   absl::StrJoin(names, ","), " to leave it out"));
}

// The names of both ends may also be those of a time, such as start and end.
absl::Status Recognition::CheckNamedEnds(const Row& names) const {
  const auto likely = KeysBesideValues(sample_.rows, names);
  if (!likely.has_value()) return absl::OkStatus();
  return Unknown(
      "the columns that are called as source and target hold numbers or dates, "
      "and others are called as keys",
      ColumnsHelp(*likely));
}

absl::StatusOr<LinkColumns> Recognition::NamedColumns() const {
  Row names(first().size(), "_");
  for (const auto& [role, role_name] : kRoles) {
    const auto column = FindLinkColumn(first(), role);
    if (column && names[*column] == "_") names[*column] = role_name;
  }
  SLICE_RETURN_IF_ERROR(CheckNamedEnds(names));
  // Other programs call the relation a label.
  const auto label = std::find(names.begin(), names.end(), "label");
  if (label != names.end() && sample_.rows.size() > 1 &&
      !AllBelow(sample_.rows, label - names.begin(), IsLabel)) {
    *label = HasRole(names, "relation") ? "_" : "relation";
  }
  const auto known = options_.relations.FindColumn(sample_.rows);
  if (known && names[*known] == "_" && !HasRole(names, "relation")) {
    names[*known] = "relation";
  } else if (const auto relation = LikelyRelation(names)) {
    names[*relation] = "relation";
    // A column between the two ends reads as a sentence: who, action, what.
    if (HasRole(names, "source") && HasRole(names, "target") &&
        !IsBetweenEnds(*relation, names))
      return AskAboutRelation(*relation, names);
  }
  if (NameEnds(names)) {
    NameTime(names);
    return LinkColumns::Parse(absl::StrJoin(names, ","));
  }
  if (first().size() == 2) return LinkColumns::Parse("source,target");
  return Unknown(absl::StrCat("no column is called ",
                              absl::StrJoin(MissingEnds(names), " or ")),
                 ColumnsHelp(names));
}

// Gives the ends that lack a column those without a role, when there are as
// many. If there are more, numbers and dates are no ends. Returns whether both
// ends have a column.
bool Recognition::NameEnds(Row& names) const {
  const std::vector<std::string> missing = MissingEnds(names);
  std::vector<size_t> free, words;
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] != "_") continue;
    free.push_back(i);
    if (!AllBelow(sample_.rows, i, IsValue)) words.push_back(i);
  }
  const std::vector<size_t>& ends =
      free.size() == missing.size() ? free : words;
  if (!missing.empty() && ends.size() != missing.size()) return false;
  for (size_t i = 0; i < missing.size(); ++i) names[ends[i]] = missing[i];
  return true;
}

// A column of dates without a role is the time.
void Recognition::NameTime(Row& names) const {
  for (size_t i = 0; i < names.size() && !HasRole(names, "time"); ++i) {
    if (names[i] == "_" && AllBelow(sample_.rows, i, IsDate)) names[i] = "time";
  }
}

// The columns of a file without a header, of which one holds known relations.
absl::StatusOr<LinkColumns> Recognition::ColumnsAround(size_t relation) const {
  Row names(UsualWidth(sample_.rows), "_");
  names[relation] = "relation";
  if (options_.may_have_label && names.size() > 3 &&
      relation + 1 < names.size() &&
      AllBelow(sample_.rows, names.size() - 1, IsLabel))
    names.back() = "label";
  if (!NameEnds(names)) {
    return Unknown(
        absl::StrCat("column ", relation + 1,
                     " is the relation, and it is unknown which ones are the "
                     "source and the target"),
        ColumnsHelp(names));
  }
  return LinkColumns::Parse(absl::StrJoin(names, ","));
}

absl::Status Recognition::CheckFirstColumn() const {
  const auto doubt = DoubtFirstColumn(sample_.rows);
  if (!doubt.has_value()) return absl::OkStatus();
  return Unknown(
      absl::StrCat(doubt->why, ", so the relation does not seem to come first"),
      absl::StrCat("Name the columns with --columns, such as --columns ",
                   doubt->columns));
}

bool Recognition::FitsUsualColumns(size_t width) const {
  const size_t usual = options_.usual.names().size();
  if (width == usual) return true;
  // Columns that a training file names hold for its held-out files as well.
  if (width < usual) return options_.usual != LinkColumns();
  // A label behind the columns is an error in a file that may have none, and
  // the error names it.
  return width == usual + 1 &&
         (options_.may_have_label ||
          std::all_of(sample_.rows.begin(), sample_.rows.end(),
                      [&](const Row& row) {
                        return row.size() != width || IsLabel(row.back());
                      }));
}

absl::StatusOr<LinkColumns> Recognition::UsualColumns() const {
  const size_t width = UsualWidth(sample_.rows);
  const auto known = options_.relations.FindColumn(sample_.rows);
  if (known && known != options_.usual.relation() && *known < width)
    return ColumnsAround(*known);
  if (FitsUsualColumns(width)) {
    if (options_.usual == LinkColumns()) {
      if (MayBeHeader()) return AskAboutHeader();
      SLICE_RETURN_IF_ERROR(CheckFirstColumn());
    }
    return options_.may_have_label ? options_.usual.WithOptionalLabel()
                                   : options_.usual;
  }
  if (width == 2) {
    if (MayBeHeader()) return AskAboutHeader();
    return LinkColumns::Parse("source,target");
  }
  if (width < 2) {
    return Unknown("a line of a link file has two columns at least",
                   kSeparatorHelp);
  }
  return Unknown(
      absl::StrCat("it is unknown what the ", width, " columns hold"),
      ColumnsHelp(Row(width, "_")));
}

// The column of words without a role that has far fewer values than each other
// column of words. None when `names` has a relation.
std::optional<size_t> Recognition::LikelyRelation(const Row& names) const {
  if (sample_.rows.size() < kManyRows || HasRole(names, "relation"))
    return std::nullopt;
  std::vector<std::pair<size_t, size_t>> words;  // values and column
  for (size_t i = 0; i < names.size(); ++i) {
    if (!AllBelow(sample_.rows, i, IsValue))
      words.emplace_back(ValuesBelow(sample_.rows, i).size(), i);
  }
  std::sort(words.begin(), words.end());
  if (words.size() < 2 || names[words[0].second] != "_" ||
      kRelationRatio * words[0].first > words[1].first)
    return std::nullopt;
  return words[0].second;
}

// Advice with the roles that `names` has. The others go to the columns without
// a role: the relation to that with few values, source and target in turn.
std::string Recognition::ColumnsHelp(Row names) const {
  const bool named = std::any_of(names.begin(), names.end(),
                                 [](const auto& name) { return name != "_"; });
  const auto relation = LikelyRelation(names);
  if (relation) names[*relation] = "relation";
  const std::vector<const char*> likely =
      has_header_ || named || relation
          ? std::vector<const char*>{"source", "target"}
          : std::vector<const char*>{"source", "relation", "target"};
  for (const char* role : likely) {
    if (HasRole(names, role)) continue;
    const auto free = std::find(names.begin(), names.end(), "_");
    if (free == names.end())
      return absl::StrCat("Each link needs a column for its ", role);
    *free = role;
  }
  return absl::StrCat("Name the columns with --columns, such as --columns ",
                      absl::StrJoin(names, ","), " (_ skips a column)",
                      !has_header_ && MayBeHeader()
                          ? ", and add --format header if the first line is one"
                          : "");
}

absl::Status Recognition::Unknown(const std::string& why,
                                  const std::string& help) const {
  return absl::InvalidArgumentError(absl::StrCat(
      name_, ": ", why, ". The first line is \"", ShownLine(sample_.first_line),
      "\", read with ", sample_.Describe(),
      has_header_ ? " as a header. " : " and no header. ", help));
}

std::string Recognition::Describe(const LinkShape& shape) const {
  std::string text = absl::StrCat(name_, ": ", sample_.Describe());
  if (!has_header_) {
    absl::StrAppend(&text, ", no header; the columns are ",
                    absl::StrJoin(shape.columns.names(), ", "));
  } else {
    absl::StrAppend(&text, ", a header; ");
    std::vector<std::string> known, skipped;
    for (size_t i = 0; i < first().size(); ++i) {
      const std::string quoted =
          absl::StrCat("\"", ShownLine(first()[i]), "\"");
      const bool used =
          i < shape.columns.names().size() && shape.columns.names()[i] != "_";
      if (!used) {
        skipped.push_back(quoted);
      } else {
        known.push_back(
            absl::StrCat(quoted, " is the ", shape.columns.names()[i]));
      }
    }
    absl::StrAppend(&text, absl::StrJoin(known, ", "));
    if (!skipped.empty())
      absl::StrAppend(&text, ", not used: ", absl::StrJoin(skipped, ", "));
  }
  if (!shape.columns.relation()) {
    absl::StrAppend(&text, "; every link has the relation \"",
                    std::string(kOnlyRelation), "\"");
  }
  return text;
}

absl::StatusOr<LinkShape> Recognition::Run() {
  LinkShape shape;
  shape.dialect = sample_.dialect;
  if (sample_.rows.empty()) {
    shape.columns = options_.columns.value_or(options_.usual);
    return shape;
  }
  guess_ = GuessFirstRow();
  has_header_ = options_.format.header.value_or(guess_ == HeaderGuess::kYes);
  if (options_.columns.has_value()) {
    if (!has_header_ && MayBeHeader()) return AskAboutHeader();
    shape.columns = options_.may_have_label
                        ? options_.columns->WithOptionalLabel()
                        : *options_.columns;
  } else if (has_header_) {
    SLICE_ASSIGN_OR_RETURN(shape.columns, NamedColumns());
  } else {
    SLICE_ASSIGN_OR_RETURN(shape.columns, UsualColumns());
    shape.columns_assumed = options_.usual == LinkColumns() &&
                            shape.columns.relation() == 0 &&
                            !options_.relations.FindColumn(sample_.rows);
  }
  if (has_header_) {
    const size_t last =
        std::max(shape.columns.source(), shape.columns.target());
    if (last >= first().size()) {
      return Unknown(
          absl::StrCat("--columns names ", last + 1, " columns, and there ",
                       first().size() == 1
                           ? "is 1"
                           : absl::StrCat("are ", first().size())),
          first().size() < 2 ? std::string(kSeparatorHelp)
                             : ColumnsHelp(Row(first().size(), "_")));
    }
    shape.source_name = first()[shape.columns.source()];
    shape.target_name = first()[shape.columns.target()];
  }
  shape.recognised = Describe(shape);
  return shape;
}

}  // namespace

absl::StatusOr<LinkShape> RecogniseLinks(const std::string& name,
                                         const LinkShapeOptions& options,
                                         LineReader* reader) {
  bool is_whole = false;
  const std::string_view text = reader->Peek(&is_whole);
  SLICE_RETURN_IF_ERROR(reader->status());
  SLICE_ASSIGN_OR_RETURN(
      LinkShape shape,
      Recognition(name, options, ReadSample(text, is_whole, options.format))
          .Run());
  reader->SetDialect(shape.dialect);
  if (shape.has_header()) reader->Next();
  return shape;
}

}  // namespace slice
