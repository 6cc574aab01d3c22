// A link with its label.
#ifndef SLICE_GRAPHSTORE_LABELLED_LINK_H_
#define SLICE_GRAPHSTORE_LABELLED_LINK_H_

#include "graphstore/types.h"

namespace slice {

// A row of a held-out file: label 1 is positive, label 0 a published negative.
struct LabelledLink {
  Link link;
  bool positive = true;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_LABELLED_LINK_H_
