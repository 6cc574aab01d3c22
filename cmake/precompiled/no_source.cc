// A library of headers needs one source for CMake to know its language.
