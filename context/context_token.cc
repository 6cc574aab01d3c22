#include "context/context_token.h"

#include <iterator>

namespace slice {
namespace {

constexpr const char* kFirstNames[] = {
    "log_degree",           "source_distance",
    "target_distance",      "unreachable",
    "slot_degree",          "path_count",
    "path_weight",          "path_best",
    "path_share",           "path_1_is_query",
    "path_1_is_query_back", "path_2_is_query",
    "path_2_is_query_back", "path_3_is_query",
    "path_3_is_query_back", "path_turns_early",
    "path_turns_late"};

}  // namespace

const std::vector<std::string>& TokenFeatureNames() {
  static const std::vector<std::string>* const kNames = [] {
    auto* names = new std::vector<std::string>(std::begin(kFirstNames),
                                               std::end(kFirstNames));
    for (int i = 0; i < kProfileDim; ++i) {
      names->push_back("profile." + std::to_string(i));
    }
    return names;
  }();
  return *kNames;
}

}  // namespace slice
