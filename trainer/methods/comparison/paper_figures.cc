#include "trainer/methods/comparison/paper_figures.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace slice {
namespace {

struct PaperRow {
  std::string_view method;
  double f1[4], auroc[4];  // in the order of kSets; 0: out of memory
};

constexpr std::string_view kSets[] = {"amazon", "dblp", "freebase", "twitter"};

constexpr PaperRow kRows[] = {
    {"transe", {50.28, 49.60, 47.78, 50.60}, {50.53, 49.05, 48.18, 50.26}},
    {"refe", {51.86, 49.60, 50.25, 48.55}, {51.74, 48.50, 50.41, 49.28}},
    {"node2vec", {88.06, 86.71, 83.69, 72.72}, {94.48, 93.87, 89.77, 80.48}},
    {"metapath2vec",
     {88.86, 44.58, 77.18, 66.73},
     {95.42, 38.41, 84.33, 72.16}},
    {"watch-your-step", {85.47, 0, 0, 85.01}, {92.86, 0, 0, 92.39}},
    {"gatne-t", {89.06, 57.04, 0, 68.16}, {94.74, 58.44, 0, 72.07}},
    {"rgcn", {65.03, 28.84, 0, 63.46}, {74.77, 50.35, 0, 64.35}},
    {"compgcn", {83.42, 40.10, 65.39, 40.75}, {90.14, 34.04, 72.01, 39.86}},
    {"hgt", {65.77, 53.32, 0, 53.13}, {68.66, 50.85, 0, 59.32}},
    {"asp2vec", {94.89, 78.82, 90.02, 88.29}, {98.51, 92.51, 96.61, 95.00}},
    {"slice", {96.00, 90.70, 90.26, 89.30}, {99.02, 96.69, 96.41, 95.73}},
};

const PaperRow* FindRow(std::string_view method) {
  for (const PaperRow& row : kRows) {
    if (row.method == method) return &row;
  }
  return nullptr;
}

// std::size(kSets) when the paper lacks the set.
size_t ColumnOf(std::string_view set) {
  return static_cast<size_t>(
      std::find(std::begin(kSets), std::end(kSets), set) - std::begin(kSets));
}

}  // namespace

std::optional<PaperFigures> FindPaperFigures(std::string_view method,
                                             std::string_view set) {
  const PaperRow* row = FindRow(method);
  const size_t column = ColumnOf(set);
  if (row == nullptr || column == std::size(kSets)) return std::nullopt;
  if (row->auroc[column] == 0) return std::nullopt;
  return PaperFigures{row->f1[column], row->auroc[column]};
}

bool RanOutOfMemoryInPaper(std::string_view method, std::string_view set) {
  const PaperRow* row = FindRow(method);
  const size_t column = ColumnOf(set);
  return row != nullptr && column < std::size(kSets) && row->auroc[column] == 0;
}

}  // namespace slice
