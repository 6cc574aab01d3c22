// A question with one known end, the anchor: which node is the other end of a
// link of this relation? (u, r, ?) or (?, r, v).
#ifndef SLICE_CONTEXT_END_QUESTION_H_
#define SLICE_CONTEXT_END_QUESTION_H_

#include "graphstore/types.h"

namespace slice {

struct EndQuestion {
  NodeId anchor = 0;  // the end that is known
  RelationId relation = 0;
  // kOut: the anchor is the source, and the target is wanted.
  Direction direction = Direction::kOut;

  // The link between the anchor and `node` as the answer.
  Link With(NodeId node) const {
    return direction == Direction::kOut ? Link{anchor, relation, node}
                                        : Link{node, relation, anchor};
  }
};

}  // namespace slice

#endif  // SLICE_CONTEXT_END_QUESTION_H_
