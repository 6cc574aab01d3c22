// All comparison methods by name.
#ifndef SLICE_TRAINER_METHODS_METHOD_REGISTRY_H_
#define SLICE_TRAINER_METHODS_METHOD_REGISTRY_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "common/available_memory.h"
#include "trainer/methods/link_method.h"

namespace slice {

// In the order of tables: the untrained ones first.
const std::vector<MethodInfo>& AllMethods();

// Whatever the case of letters. INVALID_ARGUMENT for another name, naming all.
absl::StatusOr<const MethodInfo*> FindMethod(std::string_view name);

// What a person can know of them: paper, parameters, defaults.
std::string MethodHelp();

// Trains after checking what the graph must have: FAILED_PRECONDITION, saying
// how to give node types, when it has none and the method needs them.
// RESOURCE_EXHAUSTED, with both figures, when less memory is free than the
// training would take.
absl::StatusOr<std::unique_ptr<const TrainedMethod>> TrainByMethod(
    const MethodInfo& info, const MethodInput& input,
    const ParameterValues& parameters,
    double available_mib = AvailableMemoryMib());

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_METHOD_REGISTRY_H_
