// How large answers are, as learned from those that were given.
#ifndef SLICE_SERVER_PIPELINE_ANSWER_SIZES_H_
#define SLICE_SERVER_PIPELINE_ANSWER_SIZES_H_

#include <array>
#include <atomic>
#include <cstddef>

#include "slice/v1/link_prediction.pb.h"

namespace slice {

// A running mean of bytes per link for each explanation level. A job takes room
// for its answer when it is admitted; otherwise a client that reads nothing
// would hold many times what its requests take. Thread-safe.
class AnswerSizes {
 public:
  // Of the answer to this many links. At most kMaxSendBytes: a larger answer is
  // refused.
  size_t Expected(v1::ExplanationLevel level, size_t links) const;

  // An answer had `bytes`, and `links` of its links were scored. One of no
  // bytes says nothing.
  void Learn(v1::ExplanationLevel level, size_t links, size_t bytes);

 private:
  static size_t IndexOf(v1::ExplanationLevel level);

  // By level; at first what a link needs in a dense graph.
  std::array<std::atomic<double>, 3> per_link_ = {128, 8192, 12288};
};

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_ANSWER_SIZES_H_
