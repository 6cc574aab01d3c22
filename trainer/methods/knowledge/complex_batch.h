// The questions of one step of ComplEx, and the gradient of their loss.
#ifndef SLICE_TRAINER_METHODS_KNOWLEDGE_COMPLEX_BATCH_H_
#define SLICE_TRAINER_METHODS_KNOWLEDGE_COMPLEX_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/methods/knowledge/knowledge_tables.h"

namespace slice {

// A question (anchor, relation, ?) with some of its true answers. All numbers
// of entities are places among ComplexBatch::entities.
struct ComplexQuestion {
  uint32_t anchor = 0;
  uint32_t relation = 0;          // a row of KnowledgeTables::relations
  std::vector<uint32_t> answers;  // each makes one link
  std::vector<uint32_t> known;    // rivals that are true answers
};

struct ComplexBatch {
  std::vector<uint32_t> entities;  // rows of the table; first the rivals
  size_t rivals = 0;               // which all questions share
  std::vector<ComplexQuestion> questions;
  size_t links = 0;  // of all questions
};

// The weights of the loss of a link (docs/methods.md).
struct ComplexLoss {
  double n3 = 0;
  double relation_prediction = 0;
  // Whether products are of bfloat16 numbers, which some processors multiply
  // several times faster. Scores and gradients are rounded to bfloat16, too.
  bool bfloat16 = false;
};

struct ComplexGradients {
  double loss = 0;               // the sum over the links
  std::vector<float> entities;   // [batch.entities, dim]
  std::vector<float> relations;  // [relation rows, dim]
};

// The loss of questions [begin, end) of the batch, and its gradient divided by
// batch.links. The loss of a link is
//   log(e^s_t + sum_c e^s_c) - s_t
//   + n3 * (sum of |x|^3 over the complex numbers of anchor, relation, answer)
//   + relation_prediction * (log sum_r e^s_r - s_t)
// Here s_t is the score of the answer. The s_c are the scores of the rivals;
// they leave out ComplexQuestion::known. s_r is the score of the link with row
// r of the relations in place of its own (Lacroix et al., ICML 2018; Chen et
// al., AKBC 2021). Throws c10::Error. REQUIRES: tables.form is kProduct.
ComplexGradients Differentiate(const KnowledgeTables& tables,
                               const ComplexBatch& batch, size_t begin,
                               size_t end, const ComplexLoss& loss);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_KNOWLEDGE_COMPLEX_BATCH_H_
