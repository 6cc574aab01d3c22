// CMake needs one source to know the language of a library of headers.
