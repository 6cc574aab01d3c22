// What the result of a step of `fit` depends on.
#ifndef SLICE_TRAINER_FIT_STEP_FINGERPRINT_H_
#define SLICE_TRAINER_FIT_STEP_FINGERPRINT_H_

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace slice {

// The names and values that a result depends on. A name is a flag ("--seed"),
// or the words by which a message calls something else ("the links of
// --train"). A value is text, or JSON.
using StepParts = std::map<std::string, std::string>;

struct StepFingerprint {
  std::string digest;  // of the step's name and of `parts`
  StepParts parts = {};
};

// The fingerprint of the step `name`. The members of the object `parts` become
// the parts, beside those in `inherited`.
StepFingerprint MakeStepFingerprint(const std::string& name,
                                    const nlohmann::json& parts,
                                    StepParts inherited = {});

// Says for a message which parts differ: "--seed was 1 and is 2; the links of
// --train changed". Empty when none does.
std::string DescribeChange(const StepParts& before, const StepParts& now);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_STEP_FINGERPRINT_H_
