// How the outputs of a network are read (OutputReading), as JSON: in the
// manifest of a bundle and in the records of a training run.
#ifndef SLICE_MODEL_READING_JSON_H_
#define SLICE_MODEL_READING_JSON_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "model/prediction.h"

namespace slice {

// Adds the fields of `reading` to `object`, in the format of reading_json.cc.
// `relations` are the names by id. Without `by_relation`, what is known of
// single relations is left out.
void AddReading(const OutputReading& reading,
                const std::vector<std::string>& relations, bool by_relation,
                nlohmann::json& object);

// The inverse. DATA_LOSS naming the field that is missing, of the wrong type,
// or has an unknown name as its value.
absl::Status ReadReading(const nlohmann::json& object,
                         const std::vector<std::string>& relations,
                         bool by_relation, OutputReading& reading);

}  // namespace slice

#endif  // SLICE_MODEL_READING_JSON_H_
