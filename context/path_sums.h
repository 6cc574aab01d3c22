// Sums over the 2-paths and 3-paths between the ends of a link, from which the
// common-neighbour and path features are computed. An n-path has n links.
//
// u is the source, v the target, r the queried relation; x and y are inner
// nodes, d_x is the number of visible distinct neighbours of x. Two nodes
// relate to a third *alike* when one relation links both to it in the same
// direction.
#ifndef SLICE_CONTEXT_PATH_SUMS_H_
#define SLICE_CONTEXT_PATH_SUMS_H_

#include "context/rule_evidence.h"

namespace slice {

// Sums over some of the 2-paths u - x - v, where x is neither u nor v.
struct TwoPathSums {
  double count = 0;
  double weight = 0;  // sum of 1 / d_x

  void Add(double times, double inverse_degree) {
    count += times;
    weight += times * inverse_degree;
  }
};

// Sums over the 2-paths of each kind. A comment says which links a kind
// requires.
struct CommonNeighborSums {
  TwoPathSums all;
  double adamic_adar = 0;      // sum of 1 / log(max(d_x, 2))
  TwoPathSums first_relation;  // (u, r, x)
  TwoPathSums last_relation;   // (x, r, v)
  TwoPathSums alike;           // u and v relate to x alike
};

// Sums over some of the 3-paths u - x - y - v, where x is not v and y is not u.
struct ThreePathSums {
  double count = 0;
  double root_weight = 0;  // sum of 1 / sqrt(d_x d_y)
  double weight = 0;       // sum of 1 / (d_x d_y)

  void Add(double times, double inverse_root) {
    count += times;
    root_weight += times * inverse_root;
    weight += times * inverse_root * inverse_root;
  }
  void Add(const ThreePathSums& other) {
    count += other.count;
    root_weight += other.root_weight;
    weight += other.weight;
  }
};

// Sums over the 3-paths of each kind.
struct ThreePathEvidence {
  ThreePathSums all;
  ThreePathSums first_relation;        // (u, r, x)
  ThreePathSums last_relation;         // (y, r, v)
  ThreePathSums both_relations;        // (u, r, x) and (y, r, v)
  ThreePathSums there_and_back;        // (u, r, x), (y, r, x) and (y, r, v)
  ThreePathSums first_relation_alike;  // (u, r, x); x, v relate to y alike
  ThreePathSums last_relation_alike;   // (y, r, v); u, y relate to x alike
};

struct PathSums {
  CommonNeighborSums common;
  ThreePathEvidence three;
  RuleEvidence rules;  // of the rules of two and three links
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_SUMS_H_
