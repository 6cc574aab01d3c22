// The graph that a request asks about: that of its model, or the graph that its
// what-if question imagines.
#ifndef SLICE_SERVER_GRAPH_ASKED_GRAPH_H_
#define SLICE_SERVER_GRAPH_ASKED_GRAPH_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/status.h"
#include "graphstore/graph_snapshot.h"
#include "server/graph/named_changes.h"
#include "slice/v1/graph.pb.h"

namespace slice {

// Thread-safe. Until Make() has returned OK, graph() is that of the model.
class AskedGraph {
 public:
  // A request without a question has the default instance of WhatIf, without
  // changes. `what_if` must outlive the object.
  AskedGraph(std::shared_ptr<const GraphSnapshot> of_model,
             const v1::WhatIf& what_if);

  bool is_imagined() const { return what_if_.changes_size() > 0; }

  // What Make() needs of the server.
  struct Permissions {
    // Whether to search for names that are similar to an unknown one. Called at
    // most once.
    std::function<bool()> may_search;
    // Whether there is room for a graph of this many bytes beside that of the
    // model.
    std::function<absl::Status(size_t)> take_bytes;
  };
  // Makes the graph. Only the first call does the work; all return its status:
  // the errors of ApplyNamedChanges and of take_bytes.
  absl::Status Make(const Permissions& permissions);

  // Takes a later version of the model's graph. REQUIRES: Make() was not called
  // yet, and no other thread uses the object.
  void Renew(std::shared_ptr<const GraphSnapshot> of_model) {
    graph_ = std::move(of_model);
  }

  // Frees an imagined graph: its answer may wait long for a slow reader.
  // REQUIRES: nothing asks for the graph any more.
  void Forget() {
    if (is_imagined()) graph_.reset();
  }

  const GraphSnapshot& graph() const { return *graph_; }
  const std::shared_ptr<const GraphSnapshot>& shared() const { return graph_; }
  // The bytes that were taken.
  size_t bytes() const { return bytes_; }
  // OK before Make().
  const absl::Status& status() const { return status_; }
  // Tells in a reply what the changes did, if the request imagines any.
  template <typename Reply>
  void FillEffect(Reply* reply) const {
    if (!is_imagined()) return;
    v1::WhatIfEffect* effect = reply->mutable_what_if();
    effect->mutable_without_effect()->Assign(without_effect_.begin(),
                                             without_effect_.end());
  }

 private:
  absl::Status Imagine(const Permissions& permissions);

  const v1::WhatIf& what_if_;
  std::once_flag once_;
  // Set by the first call of Make.
  std::shared_ptr<const GraphSnapshot> graph_;
  std::vector<uint32_t> without_effect_;
  size_t bytes_ = 0;
  absl::Status status_;
};

}  // namespace slice

#endif  // SLICE_SERVER_GRAPH_ASKED_GRAPH_H_
