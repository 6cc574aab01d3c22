#include <iostream>

#include "graphstore/graph_commands.h"

int main(int argc, char** argv) {
  return slice::RunGraphCommand(argc, argv, std::cout, std::cerr);
}
