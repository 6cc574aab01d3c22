// Building blocks of pages that show figures.
#ifndef SLICE_TRAINER_REPORT_PAGE_BLOCKS_H_
#define SLICE_TRAINER_REPORT_PAGE_BLOCKS_H_

#include <span>
#include <string>

namespace slice {

std::string Percent(double value);   // "98.07"; a dash when not measured
std::string Fraction(double value);  // "0.355"; a dash when not measured

// A frame around `content`. Empty when the content is.
std::string Card(const std::string& content);

// A table cell with a bar that is full at 1 and empty at `zero`.
std::string BarCell(double value, double zero);

// A heading, a note and a grid of cards. Empty when all charts are.
std::string ChartSection(const std::string& heading, const std::string& note,
                         std::span<const std::string> charts);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_PAGE_BLOCKS_H_
