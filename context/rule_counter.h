// Counts the paths of one link by the rule that they belong to.
#ifndef SLICE_CONTEXT_RULE_COUNTER_H_
#define SLICE_CONTEXT_RULE_COUNTER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "context/path_rules.h"
#include "context/rule_evidence.h"
#include "graphstore/types.h"

namespace slice {

// Thread-compatible; reuses its memory from one link to the next.
class RuleCounter {
 public:
  // Starts a link of `relation`: forgets all counts. `rules` must outlive the
  // other calls.
  void Open(const PathRules& rules, RelationId relation);
  // Counts `times` paths of a type; a type without a rule is ignored.
  void Add(const PathType& path, double times);
  // Counts `times` paths that travel the relation and go to and fro by a signed
  // relation s: before it, (s, -s, relation), or after it, (relation, s, -s).
  enum class ToAndFro { kBefore, kAfter };
  void AddToAndFro(ToAndFro when, int32_t signed_relation, double times);
  // The evidence of all rules whose paths were counted.
  RuleEvidence Sum();

 private:
  // There are many paths to and fro, but of few types. They are counted here by
  // s, so that the rule of each type is looked up only once.
  struct Returns {
    std::vector<double> counts;    // [2 |s|], and [2 |s| + 1] for s < 0
    std::vector<int32_t> counted;  // the s whose count is not 0
  };

  const PathRules* rules_ = nullptr;
  RelationId relation_ = 0;
  std::vector<double> counts_;     // [rules]
  std::vector<uint32_t> counted_;  // the rules whose count is not 0
  Returns returns_[2];             // by ToAndFro
};

}  // namespace slice

#endif  // SLICE_CONTEXT_RULE_COUNTER_H_
