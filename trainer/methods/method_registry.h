// The comparison methods by name.
#ifndef SLICE_TRAINER_METHODS_METHOD_REGISTRY_H_
#define SLICE_TRAINER_METHODS_METHOD_REGISTRY_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "common/available_memory.h"
#include "trainer/methods/link_method.h"

namespace slice {

// All methods in the order of tables: methods that learn nothing come first.
const std::vector<MethodInfo>& AllMethods();

// Finds a method by name, in upper or lower case. INVALID_ARGUMENT for an
// unknown name; the message lists all names.
absl::StatusOr<const MethodInfo*> FindMethod(std::string_view name);

// The help text: for each method its paper and its parameters with their
// defaults.
std::string MethodHelp();

// Checks node types and memory, then trains. FAILED_PRECONDITION when the
// method needs node types and the graph has one type only; the message says how
// to give types. RESOURCE_EXHAUSTED when the training needs more than
// `available_mib`; the message gives both figures. Returns the errors of the
// training.
absl::StatusOr<std::unique_ptr<const TrainedMethod>> TrainByMethod(
    const MethodInfo& info, const MethodInput& input,
    const ParameterValues& parameters,
    double available_mib = AvailableMemoryMib());

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_METHOD_REGISTRY_H_
