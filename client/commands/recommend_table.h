// The answer of `slice-client recommend` as text.
#ifndef SLICE_CLIENT_COMMANDS_RECOMMEND_TABLE_H_
#define SLICE_CLIENT_COMMANDS_RECOMMEND_TABLE_H_

#include <string>

#include "client/recommend_types.h"
#include "client/text_style.h"

namespace slice {

// How the numbers of the answer are to be read. A number is 0 when it is not
// known.
struct RecommendReading {
  std::string relation;
  double threshold = 0;  // from this probability on it is a link
  double prior = 0;      // the share of links that the user gave
  double base_rate = 0;  // the share of links otherwise
};

// For a terminal: a table in which each row is followed by its path. `flags`:
// with a column of flags.
std::string DrawRecommendations(const RecommendedNodes& list, bool flags,
                                const TextStyle& style);

// For a terminal: how to read the table, and what to know before trusting it.
// A note that not all rows have names its rows.
std::string DrawRecommendNotes(const RecommendedNodes& list,
                               const RecommendReading& reading,
                               const TextStyle& style);

// For programs: lines with rank, key, score, probability, path and the
// probability among its kind, and the flags if `flags` is set.
std::string RecommendLines(const RecommendedNodes& list, bool flags,
                           const TextStyle& style);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_RECOMMEND_TABLE_H_
