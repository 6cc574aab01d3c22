// A question with one known end, the anchor: which node is the other end of a
// link of the given relation? It is written (u, r, ?) when the source is known,
// and (?, r, v) when the target is known.
#ifndef SLICE_CONTEXT_END_QUESTION_H_
#define SLICE_CONTEXT_END_QUESTION_H_

#include "graphstore/types.h"

namespace slice {

struct EndQuestion {
  NodeId anchor = 0;  // the known end
  RelationId relation = 0;
  // kOut: the anchor is the source, and the target is wanted. kIn: the anchor
  // is the target, and the source is wanted.
  Direction direction = Direction::kOut;

  // The link between the anchor and `node`, if `node` is the answer.
  Link With(NodeId node) const {
    return direction == Direction::kOut ? Link{anchor, relation, node}
                                        : Link{node, relation, anchor};
  }
};

}  // namespace slice

#endif  // SLICE_CONTEXT_END_QUESTION_H_
