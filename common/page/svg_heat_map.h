// A matrix drawn as inline SVG, in the style of common/page/svg_chart.h.
#ifndef SLICE_COMMON_PAGE_SVG_HEAT_MAP_H_
#define SLICE_COMMON_PAGE_SVG_HEAT_MAP_H_

#include <span>
#include <string>

namespace slice {

// A square matrix as shaded cells. `values` is [names, names] float32,
// row-major and not negative; row i shows what names[i] receives from each
// name. The axes show positions, and hovering over a cell shows its names and
// value. Empty when there is no name, or when `values` has another size.
std::string HeatMap(const std::string& title,
                    std::span<const std::string> names,
                    std::span<const float> values);

}  // namespace slice

#endif  // SLICE_COMMON_PAGE_SVG_HEAT_MAP_H_
