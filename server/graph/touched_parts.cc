#include "server/graph/touched_parts.h"

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

// The link that a change is about; null when it is about a node.
const v1::LinkChange* LinkOf(const v1::GraphChange& change) {
  if (change.has_add_link()) return &change.add_link();
  return change.has_remove_link() ? &change.remove_link() : nullptr;
}

std::string KeyOf(const v1::LinkChange& link) {
  return absl::StrCat(link.source().key(), "\n", link.relation(), "\n",
                      link.target().key());
}

}  // namespace

bool TouchedParts::Admits(const NamedChanges& changes) const {
  for (const v1::GraphChange& change : changes) {
    if (const v1::LinkChange* const link = LinkOf(change); link != nullptr) {
      if (removed_.contains(link->source().key()) ||
          removed_.contains(link->target().key()) ||
          links_.contains(KeyOf(*link)))
        return false;
    } else if (change.has_upsert_node()) {
      const std::string& key = change.upsert_node().key();
      if (removed_.contains(key) || set_.contains(key)) return false;
    } else {
      const std::string& key = change.remove_node().key();
      if (removed_.contains(key) || set_.contains(key) || ends_.contains(key))
        return false;
    }
  }
  return true;
}

void TouchedParts::Add(const NamedChanges& changes) {
  for (const v1::GraphChange& change : changes) {
    if (const v1::LinkChange* const link = LinkOf(change); link != nullptr) {
      links_.insert(KeyOf(*link));
      ends_.insert({link->source().key(), link->target().key()});
    } else if (change.has_upsert_node()) {
      set_.insert(change.upsert_node().key());
    } else {
      removed_.insert(change.remove_node().key());
    }
  }
}

}  // namespace slice
