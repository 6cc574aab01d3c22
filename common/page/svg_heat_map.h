// A matrix drawn as inline SVG, in the style of common/page/svg_chart.h.
#ifndef SLICE_COMMON_PAGE_SVG_HEAT_MAP_H_
#define SLICE_COMMON_PAGE_SVG_HEAT_MAP_H_

#include <span>
#include <string>

namespace slice {

// A square matrix as shaded cells. `values` is [names, names] float32,
// row-major and not negative; row i shows what names[i] receives from each
// name. The axes show positions in `names`, the cells of a small matrix their
// values, and a scale below what the shades mean. Hovering over a cell shows
// the two names and the value. Empty when `names` is empty or `values` is not
// of that shape.
std::string HeatMap(const std::string& title,
                    std::span<const std::string> names,
                    std::span<const float> values);

}  // namespace slice

#endif  // SLICE_COMMON_PAGE_SVG_HEAT_MAP_H_
