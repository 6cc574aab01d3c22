# `cmake --install build/release --prefix DIR` puts the programs into DIR/bin,
# and the LibTorch libraries that they load into DIR/lib/slice. DIR may be moved
# as a whole. All other libraries come from Debian packages.
set(_slice_programs slice-graph slice-trainer slice-server slice-client)
set_target_properties(${_slice_programs} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/slice")
install(TARGETS ${_slice_programs} RUNTIME DESTINATION bin)
file(GLOB _slice_libtorch
  "${SLICE_DEPS_DIR}/libtorch/torch/lib/libtorch_cpu.so"
  "${SLICE_DEPS_DIR}/libtorch/torch/lib/libc10.so"
  "${SLICE_DEPS_DIR}/libtorch/torch/lib/libgomp*.so*"
  "${SLICE_DEPS_DIR}/libtorch/nvidia/cu13/lib/libcudart.so.13"
  "${SLICE_DEPS_DIR}/libtorch/nvidia/cu13/lib/libcupti.so.13")
install(PROGRAMS ${_slice_libtorch} DESTINATION lib/slice)
install(FILES LICENSE docs/third_party.md DESTINATION share/doc/slice)
file(GLOB _slice_licences "${SLICE_DEPS_DIR}/libtorch/*.dist-info")
install(DIRECTORY ${_slice_licences} DESTINATION share/doc/slice
  FILES_MATCHING PATTERN "licenses/*")
