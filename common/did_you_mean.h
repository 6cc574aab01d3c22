// What a message says of a name that nothing has: the name in quotes, and what
// the user may have meant.
#ifndef SLICE_COMMON_DID_YOU_MEAN_H_
#define SLICE_COMMON_DID_YOU_MEAN_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace slice {

// How many names are suggested for an unknown one.
inline constexpr size_t kSuggestions = 3;

// `text` in single quotes, cut between two characters (UTF-8) after at most 120
// bytes.
std::string Quoted(std::string_view text);

// Up to `limit` of the `candidates` that are similar to `text`, best first. For
// short lists such as relations, types and flags.
std::vector<std::string> NearestStrings(
    std::string_view text, const std::vector<std::string>& candidates,
    size_t limit = kSuggestions);

// "; did you mean 'a' or 'b'?", or nothing without near misses.
std::string DidYouMean(const std::vector<std::string>& near_misses);

// What a user may have meant by `text`, of a short list of names: "; did you
// mean ...?" with similar ones, else "; there is ..." with the first ones.
// Empty when `suggestions` is 0.
std::string Alternatives(std::string_view text,
                         const std::vector<std::string>& names,
                         size_t suggestions = kSuggestions);

}  // namespace slice

#endif  // SLICE_COMMON_DID_YOU_MEAN_H_
