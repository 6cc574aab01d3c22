// slice-graph: imports heterogeneous graphs and looks into them.
#include <iostream>

#include "graphstore/commands/graph_program.h"

int main(int argc, char** argv) {
  return slice::RunGraphProgram(argc, argv, std::cout, std::cerr);
}
