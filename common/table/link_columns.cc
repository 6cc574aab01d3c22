#include "common/table/link_columns.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace slice {
namespace {

constexpr std::string_view kSkipped = "_";

absl::string_view AsAbsl(std::string_view text) {
  return {text.data(), text.size()};
}

}  // namespace

LinkColumns::LinkColumns()
    : names_({"relation", "source", "target"}), relation_(0) {}

absl::StatusOr<LinkColumns> LinkColumns::Parse(std::string_view list) {
  LinkColumns columns;
  columns.names_ = absl::StrSplit(AsAbsl(list), ',');
  columns.relation_.reset();
  std::optional<size_t> source, target;
  const struct {
    std::string_view name;
    std::optional<size_t>* column;
  } known[] = {{"relation", &columns.relation_},
               {"source", &source},
               {"target", &target},
               {"label", &columns.label_},
               {"weight", &columns.weight_},
               {"time", &columns.time_}};
  for (size_t i = 0; i < columns.names_.size(); ++i) {
    const std::string& name = columns.names_[i];
    bool found = name == kSkipped;
    for (const auto& [known_name, column] : known) {
      if (name != known_name) continue;
      if (column->has_value()) {
        return absl::InvalidArgumentError(absl::StrCat(
            "the columns \"", AsAbsl(list), "\" name ", name, " twice"));
      }
      *column = i;
      found = true;
    }
    if (!found) {
      return absl::InvalidArgumentError(absl::StrCat(
          "\"", name, "\" in the columns \"", AsAbsl(list),
          "\" is none of relation, source, target, label, weight, time and _"));
    }
  }
  if (!source.has_value() || !target.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the columns \"", AsAbsl(list), "\" lack ",
                     source.has_value() ? "target" : "source"));
  }
  columns.source_ = *source;
  columns.target_ = *target;
  return columns;
}

LinkColumns LinkColumns::WithOptionalLabel() const {
  LinkColumns columns = *this;
  if (label_.has_value()) return columns;
  columns.label_ = columns.names_.size();
  columns.names_.push_back("label");
  columns.label_is_optional_ = true;
  return columns;
}

std::string LinkColumns::ToString() const { return absl::StrJoin(names_, ","); }

}  // namespace slice
