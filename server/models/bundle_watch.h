// Which of the bundles that a server watches are to be loaded now.
#ifndef SLICE_SERVER_MODELS_BUNDLE_WATCH_H_
#define SLICE_SERVER_MODELS_BUNDLE_WATCH_H_

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"

namespace slice {

// A bundle is due when its manifest, or a link to it, has changed since it was
// loaded last. One that could not be loaded is tried again although it has not
// changed, because files may come after the manifest, and a disk may be full
// for a while. Thread-compatible.
class BundleWatch {
 public:
  // Between two tries of what has not changed: at first, and then twice as long
  // each time.
  static constexpr absl::Duration kFirstDelay = absl::Seconds(2);
  static constexpr absl::Duration kLongestDelay = absl::Minutes(5);

  // A bundle to load, for the model of this name.
  struct Due {
    std::string name;
    std::filesystem::path bundle;
    std::string state;
  };

  // Begins to watch a bundle, which is loaded in its present state. Call it
  // before the load, so that a change meanwhile is noticed.
  void Add(const std::string& name, const std::filesystem::path& bundle);
  void Remove(const std::string& name) { watched_.erase(name); }

  std::vector<Due> Look(absl::Time now) const;
  // What came of it. Failed returns whether this error is another one than that
  // of the try before.
  void Loaded(const Due& due);
  bool Failed(const Due& due, std::string_view error, absl::Time now);

 private:
  struct Watched {
    std::filesystem::path bundle;
    std::string loaded;  // its state when it was loaded last
    // Of the last try, if it failed: the state, the error, when to try again
    // and how long after it.
    std::string failed = "";
    std::string error = "";
    absl::Time next_try = absl::InfinitePast();
    absl::Duration delay = absl::ZeroDuration();
  };

  // Null unless the bundle of `due` is still watched.
  Watched* Find(const Due& due);

  std::map<std::string, Watched> watched_;  // by model
};

}  // namespace slice

#endif  // SLICE_SERVER_MODELS_BUNDLE_WATCH_H_
