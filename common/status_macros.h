// Early return on a failed absl::Status or absl::StatusOr.
//
//   SLICE_RETURN_IF_ERROR(store->Flush());
//   SLICE_ASSIGN_OR_RETURN(auto snapshot, store->BuildSnapshot());
#ifndef SLICE_COMMON_STATUS_MACROS_H_
#define SLICE_COMMON_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#define SLICE_CONCAT_INNER_(a, b) a##b
#define SLICE_CONCAT_(a, b) SLICE_CONCAT_INNER_(a, b)

// Evaluates `expression` (an absl::Status) once. On an error, returns the
// status from the enclosing function.
#define SLICE_RETURN_IF_ERROR(expression)                                 \
  do {                                                                    \
    if (absl::Status slice_status_ = (expression); !slice_status_.ok()) { \
      return slice_status_;                                               \
    }                                                                     \
  } while (false)

// Evaluates `expression` (an absl::StatusOr<T>) once. On an error, returns its
// status from the enclosing function; otherwise assigns its value to
// `declaration`.
#define SLICE_ASSIGN_OR_RETURN(declaration, expression)                   \
  SLICE_ASSIGN_OR_RETURN_IMPL_(SLICE_CONCAT_(slice_status_or_, __LINE__), \
                               declaration, expression)

#define SLICE_ASSIGN_OR_RETURN_IMPL_(status_or, declaration, expression) \
  auto status_or = (expression);                                         \
  if (!status_or.ok()) return std::move(status_or).status();             \
  declaration = *std::move(status_or)

#endif  // SLICE_COMMON_STATUS_MACROS_H_
