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

// A table cell with a bar that is full at 1 and empty at `zero`. A value below
// `zero` gets a hatched bar from the right, which is full at 0.
std::string BarCell(double value, double zero);

// A remark in small grey print. Empty when `text` is. `text` is markup.
std::string Remark(const std::string& text);

// A note and a grid of cards. Empty when all charts are.
std::string ChartGrid(const std::string& note,
                      std::span<const std::string> charts);

// A part of a page: its heading and what stands under it.
struct PageSection {
  std::string title;
  std::string content;  // markup
};

// The parts that have content, each with a heading that has an address on the
// page. With more than two parts, a list of links to them comes first.
std::string Sections(std::span<const PageSection> sections);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_PAGE_BLOCKS_H_
