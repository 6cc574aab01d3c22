// What the rows of a link file tell when the names of the relations are known.
#ifndef SLICE_COMMON_TABLE_KNOWN_RELATIONS_H_
#define SLICE_COMMON_TABLE_KNOWN_RELATIONS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace slice {

class KnownRelations {
 public:
  using Row = std::vector<std::string>;

  // Knows nothing.
  KnownRelations() = default;
  explicit KnownRelations(std::vector<std::string> names)
      : names_(std::move(names)) {}

  // The column in which half of the rows or more have a known relation.
  std::optional<size_t> FindColumn(const std::vector<Row>& rows) const;

  // Whether the first row is a header: it has no known relation in the column
  // of relations. What is similar to one is a typing mistake.
  bool StandBelowHeader(const std::vector<Row>& rows) const;

  // Whether the first row has a known relation in the column of relations.
  bool StandInFirst(const std::vector<Row>& rows) const;

 private:
  bool Has(const std::string& name) const;

  std::vector<std::string> names_;
};

}  // namespace slice

#endif  // SLICE_COMMON_TABLE_KNOWN_RELATIONS_H_
