// How the flags of an answer are shown.
#ifndef SLICE_CLIENT_ANSWER_FLAGS_H_
#define SLICE_CLIENT_ANSWER_FLAGS_H_

#include <string>
#include <vector>

#include "client/link_types.h"

namespace slice {

// The names of the flags that are set, in the order of AnswerFlags.
std::vector<std::string> FlagNames(const AnswerFlags& flags);

// The names with commas between them, or "-" when no flag is set: a column of
// tables.
std::string FlagColumn(const AnswerFlags& flags);

// One line "note: ..." for each note.
std::string FlagNotes(const AnswerFlags& flags);

}  // namespace slice

#endif  // SLICE_CLIENT_ANSWER_FLAGS_H_
