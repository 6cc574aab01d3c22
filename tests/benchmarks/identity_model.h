// A model that costs nothing: what is left of a call is the server's own.
#ifndef SLICE_TESTS_BENCHMARKS_IDENTITY_MODEL_H_
#define SLICE_TESTS_BENCHMARKS_IDENTITY_MODEL_H_

#include <memory>

#include "server/models/served_model.h"

namespace slice {

// Serves a random graph of 20,000 nodes, "n0", "n1", ..., and 100,000 links. No
// context is cut and no feature computed; every logit is 0.
std::shared_ptr<const ServedModel> MakeIdentityModel();

}  // namespace slice

#endif  // SLICE_TESTS_BENCHMARKS_IDENTITY_MODEL_H_
