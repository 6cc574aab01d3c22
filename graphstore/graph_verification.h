// The result of checking a stored graph.
#ifndef SLICE_GRAPHSTORE_GRAPH_VERIFICATION_H_
#define SLICE_GRAPHSTORE_GRAPH_VERIFICATION_H_

#include <cstdint>
#include <string>
#include <vector>

namespace slice {

struct GraphVerification {
  uint64_t nodes = 0;
  uint64_t links = 0;
  uint64_t names = 0;          // records of the name index
  std::string graph_digest;    // computed anew from the records
  uint64_t graph_version = 0;  // after the changes of the log
  std::string state_digest;    // of that version (graphstore/change_log.h)
  uint64_t problem_count = 0;
  std::vector<std::string> problems;  // descriptions of the first problems

  bool ok() const { return problem_count == 0; }
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_VERIFICATION_H_
