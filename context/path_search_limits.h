// The bounds of a search for paths.
#ifndef SLICE_CONTEXT_PATH_SEARCH_LIMITS_H_
#define SLICE_CONTEXT_PATH_SEARCH_LIMITS_H_

namespace slice {

// Each field means what the field of that name means in ContextOptions
// (context/context_options.h).
struct PathSearchLimits {
  int max_hops = 6;
  int max_degree = 500;
  int max_expanded_arcs = 20000;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_SEARCH_LIMITS_H_
