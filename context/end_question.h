// One end of a link is known, the other is asked for: (u, r, ?) or (?, r, v).
#ifndef SLICE_CONTEXT_END_QUESTION_H_
#define SLICE_CONTEXT_END_QUESTION_H_

#include "graphstore/types.h"

namespace slice {

struct EndQuestion {
  NodeId anchor = 0;  // the end that is known
  RelationId relation = 0;
  // kOut: the anchor is the source and the target is asked for.
  Direction direction = Direction::kOut;

  // The link that has `node` in the place asked for.
  Link With(NodeId node) const {
    return direction == Direction::kOut ? Link{anchor, relation, node}
                                        : Link{node, relation, anchor};
  }
};

}  // namespace slice

#endif  // SLICE_CONTEXT_END_QUESTION_H_
