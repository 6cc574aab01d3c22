// The names that people give to the columns of links and nodes.
#ifndef SLICE_COMMON_TABLE_COLUMN_NAMES_H_
#define SLICE_COMMON_TABLE_COLUMN_NAMES_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace slice {

enum class LinkRole { kRelation, kSource, kTarget, kLabel, kWeight, kTime };
// A label may be a type or a name; other programs use it for both.
enum class NodeRole { kKey, kType, kName, kLabel };

// The position of the column whose name says most plainly that it has this
// role, such as "from" for the source; nullopt when none says so. Capitals,
// blanks and signs do not count: ":START_ID" is "startid".
std::optional<size_t> FindLinkColumn(std::span<const std::string> header,
                                     LinkRole role);
std::optional<size_t> FindNodeColumn(std::span<const std::string> header,
                                     NodeRole role);

// Whether a text ends as names of columns of keys do: "user_id", "movie name".
bool LooksLikeColumnOfKeys(std::string_view text);
// The same for keys that are no names: "user_id", not "movie name".
bool LooksLikeColumnOfIds(std::string_view text);

}  // namespace slice

#endif  // SLICE_COMMON_TABLE_COLUMN_NAMES_H_
