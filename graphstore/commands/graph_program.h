// The program slice-graph.
#ifndef SLICE_GRAPHSTORE_COMMANDS_GRAPH_PROGRAM_H_
#define SLICE_GRAPHSTORE_COMMANDS_GRAPH_PROGRAM_H_

#include <ostream>

namespace slice {

// Runs the command that the line names. Results go to `out`, messages to
// `errors`; control characters in both are replaced. Returns the exit status as
// RunProgram does (common/command/run_program.h); verify returns kExitFailure
// for a graph with problems.
int RunGraphProgram(int argc, const char* const* argv, std::ostream& out,
                    std::ostream& errors);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_COMMANDS_GRAPH_PROGRAM_H_
