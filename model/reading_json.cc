// The fields of a reading:
//   scorer, context_pooling   names
//   rule_weights              an object with the keys `target` and `source`,
//                             the end that is asked for; each value has `rules`
//                             and `constants`
//   calibration               an object with a key for each question; each
//                             value has `temperature`, `decision_threshold`
//                             and, by relation, `offset`, `base_rate`, `rows`
//                             and `relations`, an object of the same fields by
//                             name
//   schema_prior              by relation: an object of {self, off_schema} by
//                             name
//   off_schema_margin         by relation: a number
// `relations` and `schema_prior` are empty when single relations are not known.
#include "model/reading_json.h"

#include <array>
#include <utility>

#include "common/status_macros.h"
#include "model/json_fields.h"

namespace slice {
namespace {

using Json = nlohmann::json;

// The end that is asked for, by the direction of the question.
constexpr std::array kAsked = {"target", "source"};

Json ToJson(const Calibration& calibration, bool by_relation) {
  Json json = {{"temperature", calibration.temperature},
               {"decision_threshold", calibration.threshold}};
  if (!by_relation) return json;
  json["offset"] = calibration.offset;
  json["base_rate"] = calibration.base_rate;
  json["rows"] = calibration.rows;
  return json;
}

absl::Status FromJson(const Json& json, bool by_relation,
                      Calibration& calibration) {
  FieldReader reader(json);
  reader.Read("temperature", calibration.temperature)
      .Read("decision_threshold", calibration.threshold);
  if (!by_relation) return reader.status();
  return reader.Read("offset", calibration.offset)
      .Read("base_rate", calibration.base_rate)
      .Read("rows", calibration.rows)
      .status();
}

Json CalibrationToJson(const OutputReading& reading,
                       const std::vector<std::string>& relations,
                       bool by_relation) {
  Json json = Json::object();
  for (size_t q = 0; q < kQuestions; ++q) {
    Json question = ToJson(reading.calibrations[q], by_relation);
    if (by_relation) question["relations"] = Json::object();
    if (by_relation && reading.relations != nullptr) {
      const auto& all = reading.relations->calibrations[q];
      for (size_t r = 0; r < all.size(); ++r) {
        question["relations"][relations[r]] = ToJson(all[r], by_relation);
      }
    }
    json[std::string(QuestionName(static_cast<Question>(q)))] = question;
  }
  return json;
}

// The field of `object` for each relation, or no field when the object is
// empty.
absl::StatusOr<std::vector<Json>> ByRelation(
    const Json& object, const std::vector<std::string>& relations) {
  std::vector<Json> fields;
  if (object.empty()) return fields;
  FieldReader reader(object);
  for (const std::string& name : relations) {
    reader.Read(name.c_str(), fields.emplace_back());
  }
  SLICE_RETURN_IF_ERROR(reader.status());
  return fields;
}

absl::Status ReadCalibration(const Json& json,
                             const std::vector<std::string>& relations,
                             bool by_relation, OutputReading& reading,
                             RelationReadings& known) {
  for (size_t q = 0; q < kQuestions; ++q) {
    const std::string name(QuestionName(static_cast<Question>(q)));
    Json one;
    SLICE_RETURN_IF_ERROR(FieldReader(json).Read(name.c_str(), one).status());
    SLICE_RETURN_IF_ERROR(FromJson(one, by_relation, reading.calibrations[q]));
    if (!by_relation) continue;
    Json of_relations;
    SLICE_RETURN_IF_ERROR(
        FieldReader(one).Read("relations", of_relations).status());
    SLICE_ASSIGN_OR_RETURN(const std::vector<Json> fields,
                           ByRelation(of_relations, relations));
    for (const Json& field : fields) {
      SLICE_RETURN_IF_ERROR(
          FromJson(field, by_relation, known.calibrations[q].emplace_back()));
    }
  }
  return absl::OkStatus();
}

Json SchemaToJson(const OutputReading& reading,
                  const std::vector<std::string>& relations) {
  Json json = Json::object();
  if (reading.relations == nullptr) return json;
  const std::vector<SchemaPrior>& all = reading.relations->schema;
  for (size_t r = 0; r < all.size(); ++r) {
    json[relations[r]] = {{"self", all[r].self},
                          {"off_schema", all[r].off_schema}};
  }
  return json;
}

absl::Status ReadSchema(const Json& json,
                        const std::vector<std::string>& relations,
                        RelationReadings& known) {
  SLICE_ASSIGN_OR_RETURN(const std::vector<Json> fields,
                         ByRelation(json, relations));
  for (const Json& field : fields) {
    SchemaPrior& prior = known.schema.emplace_back();
    SLICE_RETURN_IF_ERROR(FieldReader(field)
                              .Read("self", prior.self)
                              .Read("off_schema", prior.off_schema)
                              .status());
  }
  return absl::OkStatus();
}

Json RuleWeightsToJson(const OutputReading& reading) {
  Json json = Json::object();
  for (size_t i = 0; i < kAsked.size(); ++i) {
    const RuleWeights& weights = reading.rule_weights[i];
    json[kAsked[i]] = {{"rules", weights.rules},
                       {"constants", weights.constants}};
  }
  return json;
}

absl::Status ReadRuleWeights(const Json& json, OutputReading& reading) {
  for (size_t i = 0; i < kAsked.size(); ++i) {
    Json one;
    SLICE_RETURN_IF_ERROR(FieldReader(json).Read(kAsked[i], one).status());
    SLICE_RETURN_IF_ERROR(
        FieldReader(one)
            .Read("rules", reading.rule_weights[i].rules)
            .Read("constants", reading.rule_weights[i].constants)
            .status());
  }
  return absl::OkStatus();
}

}  // namespace

void AddReading(const OutputReading& reading,
                const std::vector<std::string>& relations, bool by_relation,
                Json& object) {
  object["scorer"] = std::string(ScorerName(reading.scorer));
  object["context_pooling"] = std::string(ContextPoolingName(reading.pooling));
  object["rule_weights"] = RuleWeightsToJson(reading);
  object["calibration"] = CalibrationToJson(reading, relations, by_relation);
  if (!by_relation) return;
  object["schema_prior"] = SchemaToJson(reading, relations);
  object["off_schema_margin"] = reading.off_schema_margin;
}

absl::Status ReadReading(const Json& object,
                         const std::vector<std::string>& relations,
                         bool by_relation, OutputReading& reading) {
  std::string scorer, pooling;
  Json rule_weights, calibration;
  SLICE_RETURN_IF_ERROR(FieldReader(object)
                            .Read("scorer", scorer)
                            .Read("context_pooling", pooling)
                            .Read("rule_weights", rule_weights)
                            .Read("calibration", calibration)
                            .status());
  SLICE_ASSIGN_OR_RETURN(reading.scorer, NamedValue(ParseScorer(scorer)));
  SLICE_ASSIGN_OR_RETURN(reading.pooling,
                         NamedValue(ParseContextPooling(pooling)));
  SLICE_RETURN_IF_ERROR(ReadRuleWeights(rule_weights, reading));
  RelationReadings known;
  SLICE_RETURN_IF_ERROR(
      ReadCalibration(calibration, relations, by_relation, reading, known));
  if (!by_relation) return absl::OkStatus();
  Json schema;
  SLICE_RETURN_IF_ERROR(
      FieldReader(object)
          .Read("schema_prior", schema)
          .Read("off_schema_margin", reading.off_schema_margin)
          .status());
  SLICE_RETURN_IF_ERROR(ReadSchema(schema, relations, known));
  if (!known.calibrations[0].empty() || !known.schema.empty()) {
    reading.relations =
        std::make_shared<const RelationReadings>(std::move(known));
  }
  return absl::OkStatus();
}

}  // namespace slice
