// The list of methods decides their order in help and tables: methods that
// learn nothing, walks, message passing, knowledge graph embeddings, and the
// presets of fit. TrainByMethod() checks what every method would otherwise have
// to check itself: node types and free memory.
#include "trainer/methods/method_registry.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "common/did_you_mean.h"
#include "trainer/methods/knowledge/complex.h"
#include "trainer/methods/knowledge/knowledge_embedding.h"
#include "trainer/methods/messages/compgcn.h"
#include "trainer/methods/messages/gat.h"
#include "trainer/methods/messages/gcn.h"
#include "trainer/methods/messages/hgt.h"
#include "trainer/methods/messages/rgcn.h"
#include "trainer/methods/untrained_methods.h"
#include "trainer/methods/walks/aspects/asp2vec.h"
#include "trainer/methods/walks/gatne/gatne.h"
#include "trainer/methods/walks/metapath2vec.h"
#include "trainer/methods/walks/node2vec_method.h"
#include "trainer/methods/walks/watch_your_step.h"

namespace slice {
namespace {

MethodInfo FitPreset(std::string name, std::string title,
                     std::string description, std::string preset) {
  MethodInfo info;
  info.name = std::move(name);
  info.title = std::move(title);
  info.description = std::move(description);
  info.preset = std::move(preset);
  return info;
}

std::vector<MethodInfo> MakeMethods() {
  std::vector<MethodInfo> methods = UntrainedMethods();
  methods.push_back(Node2vecMethod());
  methods.push_back(Metapath2vecMethod());
  methods.push_back(WatchYourStepMethod());
  methods.push_back(Asp2vecMethod());
  methods.push_back(GatneMethod());
  methods.push_back(GcnMethod());
  methods.push_back(GatMethod());
  methods.push_back(RgcnMethod());
  methods.push_back(HgtMethod());
  methods.push_back(CompGcnMethod());
  methods.push_back(TranseMethod());
  methods.push_back(RoteMethod());
  methods.push_back(RefeMethod());
  methods.push_back(AtteMethod());
  methods.push_back(ComplexMethod());
  methods.push_back(
      FitPreset("structural", "structural",
                "slice's scorer of pair features; fit --preset fast", "fast"));
  methods.push_back(
      FitPreset("slice", "slice",
                "slice with all its scorers; fit --preset default", "default"));
  return methods;
}

std::string ParameterLine(const MethodParameter& parameter) {
  std::string line =
      absl::StrFormat("      %s=%s", parameter.name, parameter.DefaultText());
  std::vector<std::string> remarks;
  if (!parameter.description.empty()) remarks.push_back(parameter.description);
  if (parameter.is_number()) {
    remarks.push_back(
        absl::StrFormat("%g to %g", parameter.least, parameter.most));
  }
  if (parameter.words.size() > 1) {
    remarks.push_back(
        absl::StrCat("one of ", absl::StrJoin(parameter.words, ", ")));
  }
  if (remarks.empty()) return line + "\n";
  line.resize(std::max<size_t>(line.size(), 34), ' ');
  return absl::StrCat(line, "  ", absl::StrJoin(remarks, "; "), "\n");
}

}  // namespace

const std::vector<MethodInfo>& AllMethods() {
  static const auto& methods = *new std::vector<MethodInfo>(MakeMethods());
  return methods;
}

absl::StatusOr<const MethodInfo*> FindMethod(std::string_view name) {
  std::vector<std::string> names;
  for (const MethodInfo& info : AllMethods()) {
    if (info.name == absl::AsciiStrToLower(std::string(name))) return &info;
    names.push_back(info.name);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("there is no method ", Quoted(name),
                   DidYouMean(NearestStrings(name, names)),
                   " (methods: ", absl::StrJoin(names, ", "), ")"));
}

std::string MethodHelp() {
  std::string text = "Methods, and their parameters for --set NAME=VALUE:\n";
  for (const MethodInfo& info : AllMethods()) {
    absl::StrAppend(&text, "\n  ", info.name, ": ", info.description,
                    info.needs_node_types ? " (needs node types)" : "",
                    info.paper.empty() ? "" : "\n      ", info.paper, "\n");
    for (const MethodParameter& parameter : info.parameters) {
      text += ParameterLine(parameter);
    }
  }
  return text;
}

absl::StatusOr<std::unique_ptr<const TrainedMethod>> TrainByMethod(
    const MethodInfo& info, const MethodInput& input,
    const ParameterValues& parameters, double available_mib) {
  if (info.needs_node_types && input.snapshot->node_type_count() < 2) {
    return absl::FailedPreconditionError(absl::StrCat(
        info.name,
        " needs node types, but all nodes of this graph have one type; "
        "give a file of lines 'key<TAB>type<TAB>name' with --nodes"));
  }
  if (info.memory != nullptr) {
    const double needed = info.memory(input, parameters);
    if (needed > available_mib) {
      return absl::ResourceExhaustedError(absl::StrFormat(
          "%s would take about %.0f MiB on this graph, and %.0f MiB are free; "
          "a lower dim (--set dim=...) takes less",
          info.name, needed, available_mib));
    }
  }
  return info.train(input, parameters);
}

}  // namespace slice
