// Which bundles a server is to serve, under which names.
#ifndef SLICE_SERVER_MODELS_MODEL_SOURCE_H_
#define SLICE_SERVER_MODELS_MODEL_SOURCE_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace slice {

// What a candidate, a new version of a model, is tried on.
enum class TrialKind {
  kCanary,  // it answers a share of the requests
  kShadow,  // it scores a share of the requests too, and nobody gets its answer
};

// By what a request is chosen for a trial. The choice is a hash, so the same
// identity, or the same request, always meets the same version.
enum class TrialBy {
  kIdentity,
  kLink,  // the first link of the request
};

struct Trial {
  bool operator==(const Trial&) const = default;

  TrialKind kind = TrialKind::kCanary;
  TrialBy by = TrialBy::kIdentity;
  double share = 0;  // of the requests, in (0, 1]
};

// A candidate of a model: its bundle, and what it is tried on.
struct CandidateSource {
  bool operator==(const CandidateSource&) const = default;

  std::filesystem::path bundle;
  Trial trial;
};

struct ModelSource {
  bool operator==(const ModelSource&) const = default;

  std::string name;
  std::filesystem::path bundle;  // a directory, or a link to one
  // Whether the server looks every two seconds whether the bundle has changed,
  // or a link to it, and then loads it.
  bool watch = false;
  std::optional<CandidateSource> candidate = std::nullopt;
};

// The models of a server, and the one that answers requests that name none.
struct ModelList {
  bool operator==(const ModelList&) const = default;

  std::vector<ModelSource> models;
  std::string default_name;
};

}  // namespace slice

#endif  // SLICE_SERVER_MODELS_MODEL_SOURCE_H_
