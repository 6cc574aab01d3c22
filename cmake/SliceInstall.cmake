# `cmake --install build/release --prefix DIR` puts the programs into DIR/bin,
# and libslice_torchscript.so with the LibTorch libraries that it and
# slice-trainer load into DIR/lib/slice. DIR may be moved as a whole. All other
# libraries come from Debian packages. With --component slim only what needs no
# LibTorch is installed.
set(_slice_slim_programs slice-graph slice-server slice-client)
# DT_RPATH instead of DT_RUNPATH, because it also holds for the libraries that
# our libraries load. So scripts/package can put Debian's libraries there.
foreach(_target ${_slice_slim_programs} slice-trainer slice_torchscript)
  target_link_options(${_target} PRIVATE LINKER:--disable-new-dtags)
endforeach()
set_target_properties(${_slice_slim_programs} slice-trainer PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/slice")
install(TARGETS ${_slice_slim_programs} RUNTIME DESTINATION bin COMPONENT slim)
install(TARGETS slice-trainer RUNTIME DESTINATION bin COMPONENT torch)
install(TARGETS slice_torchscript LIBRARY DESTINATION lib/slice COMPONENT torch)
file(GLOB _slice_libtorch
  "${SLICE_DEPS_DIR}/libtorch/torch/lib/libtorch_cpu.so"
  "${SLICE_DEPS_DIR}/libtorch/torch/lib/libc10.so"
  "${SLICE_DEPS_DIR}/libtorch/torch/lib/libgomp*.so*"
  "${SLICE_DEPS_DIR}/libtorch/nvidia/cu13/lib/libcudart.so.13"
  "${SLICE_DEPS_DIR}/libtorch/nvidia/cu13/lib/libcupti.so.13")
install(PROGRAMS ${_slice_libtorch} DESTINATION lib/slice COMPONENT torch)
install(FILES LICENSE docs/third_party.md CHANGELOG.md DESTINATION share/doc/slice COMPONENT slim)
file(GLOB _slice_licences "${SLICE_DEPS_DIR}/libtorch/*.dist-info")
install(DIRECTORY ${_slice_licences} DESTINATION share/doc/slice COMPONENT torch
  FILES_MATCHING PATTERN "licenses/*")
# The component gpu is what scripts/package --gpu-kit adds: tests and benchmarks
# for a host with a GPU. LibTorch is found there, beside PyTorch.
if(SLICE_CUDA AND SLICE_BUILD_TESTS)
  set(_slice_gpu_programs cuda_forward_test cuda_loss_test device_forward_test forward_benchmark)
  foreach(_target ${_slice_gpu_programs})
    target_link_options(${_target} PRIVATE LINKER:--disable-new-dtags)
  endforeach()
  set_target_properties(${_slice_gpu_programs} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/slice")
  install(TARGETS ${_slice_gpu_programs} RUNTIME DESTINATION bin COMPONENT gpu)
  install(TARGETS slice_torchscript lost_device LIBRARY DESTINATION lib/slice COMPONENT gpu)
endif()
