// The style sheet of the report page and of the charts in it.
#ifndef SLICE_TRAINER_REPORT_STYLE_H_
#define SLICE_TRAINER_REPORT_STYLE_H_

#include <string_view>

namespace slice {

// CSS; the series colours are told apart with the common colour-vision
// deficiencies, on light and dark.
std::string_view ReportStyleSheet();

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_STYLE_H_
