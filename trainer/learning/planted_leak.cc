#include "trainer/learning/planted_leak.h"

#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"

namespace slice {

absl::StatusOr<PlantedLeak> ParsePlantedLeak(std::string_view name) {
  constexpr std::string_view kNames[] = {"none", "own_link", "seen_negatives",
                                         "test_links"};
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (kNames[i] == name) return static_cast<PlantedLeak>(i);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown leak '", std::string(name),
                   "': use own_link, seen_negatives, test_links or none"));
}

}  // namespace slice
