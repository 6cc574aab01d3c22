#include "server/rpc/answer_trust.h"

#include <string>

#include "context/link_flags.h"

namespace slice {
namespace {

void FillNumbers(const Calibration& calibration,
                 v1::CalibrationNumbers* numbers) {
  numbers->set_temperature(calibration.temperature);
  numbers->set_offset(calibration.offset);
  numbers->set_decision_threshold(calibration.threshold);
  numbers->set_base_rate(calibration.base_rate);
  numbers->set_rows(calibration.rows);
}

}  // namespace

void FillFlags(const ModelOnGraph& served, const Link& link,
               const Prediction& prediction, v1::LinkFlags* flags) {
  const LinkFlags& of_link = prediction.flags;
  if (of_link == LinkFlags()) return;
  flags->set_exists(of_link.exists);
  flags->set_self(of_link.self);
  flags->set_off_schema_source(of_link.off_schema_source);
  flags->set_off_schema_target(of_link.off_schema_target);
  flags->set_cold_source(of_link.cold_source);
  flags->set_cold_target(of_link.cold_target);
  flags->set_unknown_source(of_link.unknown_source);
  flags->set_unknown_target(of_link.unknown_target);
  flags->set_truncated(of_link.truncated);
  flags->set_schema_log_odds(prediction.schema_log_odds);
  for (const std::string& note :
       FlagNotes(served.graph, served.schema(), link, of_link,
                 served.model.manifest.own_pair_links)) {
    flags->add_notes(note);
  }
}

void FillCalibrations(const BundleManifest& manifest,
                      v1::GetModelInfoResponse* response) {
  const OutputReading& reading = manifest.reading;
  const Calibration& plausible = reading.of(Question::kPlausible);
  const Calibration& among_kind = reading.of(Question::kAmongKind);
  response->set_decision_threshold(plausible.threshold);
  response->set_temperature(plausible.temperature);
  response->set_base_rate(plausible.base_rate);
  response->set_off_schema_margin(reading.off_schema_margin);
  response->set_among_kind_threshold(among_kind.threshold);
  response->set_among_kind_temperature(among_kind.temperature);
  if (reading.relations == nullptr) return;
  for (size_t r = 0; r < manifest.relations.size(); ++r) {
    const auto relation = static_cast<RelationId>(r);
    v1::RelationCalibration* added = response->add_relation_calibrations();
    added->set_relation(manifest.relations[r]);
    FillNumbers(reading.of(Question::kPlausible, relation),
                added->mutable_plausible());
    FillNumbers(reading.of(Question::kAmongKind, relation),
                added->mutable_among_kind());
    if (r >= reading.relations->schema.size()) continue;
    added->set_self_log_odds(reading.relations->schema[r].self);
    added->set_off_schema_log_odds(reading.relations->schema[r].off_schema);
  }
}

}  // namespace slice
