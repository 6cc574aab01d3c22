#ifndef SLICE_COMMON_PAGE_CURVE_POINT_H_
#define SLICE_COMMON_PAGE_CURVE_POINT_H_

namespace slice {

// A point of a curve to be drawn.
struct CurvePoint {
  double x = 0;
  double y = 0;
};

}  // namespace slice

#endif  // SLICE_COMMON_PAGE_CURVE_POINT_H_
