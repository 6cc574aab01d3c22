// What `slice-trainer gate` reports, as a table and as JSON.
#ifndef SLICE_TRAINER_GATE_GATE_REPORT_H_
#define SLICE_TRAINER_GATE_GATE_REPORT_H_

#include <string>
#include <vector>

#include "trainer/gate/gate_links.h"
#include "trainer/gate/gate_verdict.h"

namespace slice {

struct GateReport {
  std::string current_id, candidate_id;  // BundleManifest::bundle_id
  std::string test;                      // the file
  std::vector<std::string> relations;    // names, by RelationId
  GateLinks links;
  GateTestOptions options;
  std::vector<std::string> notes;  // why a measure was not compared
  std::vector<GateFigure> figures;

  bool is_worse() const;
};

// The links, a row per figure, and the verdict.
std::string GateReportText(const GateReport& report);

// An object with `verdict` ("pass" or "worse"), the ids of the bundles, the
// counts of `links`, `notes`, and a list `figures`: measure, relation (null:
// all), links, current, candidate, difference, low, high, p, worse. Indented;
// ends in a line break.
std::string GateReportJson(const GateReport& report);

}  // namespace slice

#endif  // SLICE_TRAINER_GATE_GATE_REPORT_H_
