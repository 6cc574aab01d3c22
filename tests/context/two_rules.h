// Two rules of one relation, with confidences that differ in each bucket.
#ifndef SLICE_TESTS_CONTEXT_TWO_RULES_H_
#define SLICE_TESTS_CONTEXT_TWO_RULES_H_

#include "context/path_rules.h"

namespace slice {

inline PathRules TwoRules() {
  PathRules::Confidences a{}, b{};
  a[0] = {0.5f, 0.6f, 0.7f, 0.8f, 0.9f};
  a[1] = {0.25f, 0.25f, 0.25f, 0.25f, 0.25f};
  b[0] = {0.2f, 0.2f, 0.2f, 0.2f, 0.2f};
  b[1] = {0.1f, 0.1f, 0.1f, 0.1f, 0.1f};
  return PathRules({{0, {-2, 1, 0}}, {0, {1, 2, -2}}}, {a, b});
}

}  // namespace slice

#endif  // SLICE_TESTS_CONTEXT_TWO_RULES_H_
