# Sourced by scripts/package: makes the GPU kit, an archive that checks and
# measures a CUDA build on a host that has nothing but a driver and PyTorch.
# shellcheck shell=bash

readonly SLICE_KIT_BUNDLES=(default paper)
readonly SLICE_KIT_MB=60
# shellcheck disable=SC2034
readonly SLICE_KIT_TARGETS=(slice-graph slice-trainer slice-server slice-client
  cuda_forward_test cuda_loss_test device_forward_test forward_benchmark
  slice_torchscript lost_device)
# These load LibTorch, which is not in the kit.
readonly SLICE_KIT_TORCH_PROGRAMS=(bin/forward_benchmark
  tests/cuda_forward_test tests/cuda_loss_test tests/device_forward_test
  lib/slice/libslice_torchscript.so)

# cached BUILD NAME: the value of a variable of CMake in a build.
cached() { sed -n "s/^$2:[A-Z]*=//p" "$1/CMakeCache.txt" 2>/dev/null || true; }

# require_cuda_build BUILD
require_cuda_build() {
  [[ "$(cached "$1" SLICE_CUDA)" == ON ]] ||
    die "$1 is no CUDA build: make one with scripts/build --cuda, or leave" \
      "--build out"
}

# kit_bundles TO BUILD BUNDLES: fills the folder TO/bundles. BUNDLES may be "";
# the bundles are then trained.
kit_bundles() {
  local to=$1 build=$2 bundles=$3 name scratch
  mkdir -p "${to}/bundles"
  for name in "${SLICE_KIT_BUNDLES[@]}"; do
    if [[ -n "${bundles}" ]]; then
      [[ -e "${bundles}/${name}/MANIFEST.json" ]] ||
        die "--bundles: ${bundles}/${name} is no bundle"
      cp -aL "${bundles}/${name}" "${to}/bundles/${name}"
      continue
    fi
    step "Training the network '${name}' briefly, for the kit"
    scratch="${to}.${name}"
    make_brief_bundle "${build}/bin" "${name}" "${scratch}"
    mv "${scratch}/bundle" "${to}/bundles/${name}"
    rm -rf "${scratch}"
  done
}

# kit_libraries TO BUILD: the libraries that the programs load, but not those of
# LibTorch's folder. The programs of the build are asked, because those of the
# kit do not find LibTorch here.
kit_libraries() {
  local to=$1 build=$2 copy="${SLICE_ROOT}/scripts/lib/linked_libraries.py"
  python3 "${copy}" copy "${to}/lib/slice" \
    "${SLICE_SLIM_PROGRAMS[@]/#/${build}/bin/}"
  python3 "${copy}" copy "${to}/lib/slice" \
    "--without=$(cached "${build}" SLICE_DEPS_DIR)/libtorch" \
    "${SLICE_KIT_TORCH_PROGRAMS[@]/#/${build}/}"
  find "${to}/lib/slice" -type f -exec strip --strip-unneeded {} + 2>/dev/null ||
    true
}

# kit_facts TO VERSION BUILD: writes kit.json, which gpu_check reads.
kit_facts() {
  local to=$1 version=$2 build=$3 commit torch
  commit=$(git -C "${SLICE_ROOT}" describe --always --dirty --abbrev=10 \
    --exclude='*' 2>/dev/null || echo unknown)
  torch=$(sed -n 's/^torch==\([0-9.]*\).*/\1/p' \
    "${SLICE_ROOT}/scripts/lib/libtorch_wheels.txt")
  python3 - "${to}/kit.json" "${version}" "${commit}" "${torch}" \
    "$(cached "${build}" CMAKE_CUDA_ARCHITECTURES)" \
    "$("$(cached "${build}" CMAKE_CUDA_COMPILER)" --version |
      sed -n 's/.*release \([0-9.]*\).*/\1/p')" \
    "${SLICE_KIT_BUNDLES[@]}" <<'PYTHON'
import json, os, sys
path, version, commit, torch, architectures, cuda, *bundles = sys.argv[1:]
with open(path, "w", encoding="utf-8") as file:
    json.dump({"version": version, "commit": commit, "torch": torch,
               "cuda": cuda, "architectures": architectures,
               "glibc": os.confstr("CS_GNU_LIBC_VERSION").split()[-1],
               "bundles": bundles}, file, indent=1)
    file.write("\n")
PYTHON
}

# make_gpu_kit WORK VERSION OUT BUILD BUNDLES
make_gpu_kit() {
  local work=$1 version=$2 out=$3 build=$4 bundles=$5
  local folder="slice-gpu-kit-${version}" to="$1/slice-gpu-kit-$2" file component
  require_cuda_build "${build}"
  step "Laying out the GPU kit"
  for component in slim gpu; do
    cmake --install "${build}" --prefix "${to}" --strip \
      --component "${component}" >/dev/null
  done
  kit_libraries "${to}" "${build}"
  cp -a "${SLICE_ROOT}/deploy/gpu-kit/." "${to}/"
  # gpu_check starts and loads servers as the benchmarks do.
  cp "${SLICE_ROOT}"/scripts/lib/{serving_loads,instruction_sets}.py "${to}/steps/"
  find "${to}" -name __pycache__ -prune -exec rm -r {} +
  kit_facts "${to}" "${version}" "${build}"
  kit_bundles "${to}" "${build}" "${bundles}"
  step "Packing the GPU kit"
  file="${out}/${folder}-linux-x86_64.tar"
  tar -C "${work}" --sort=name --owner=0 --group=0 --numeric-owner \
    --mode=u=rwX,go=rX --mtime="@${SOURCE_DATE_EPOCH}" -cf "${file}" "${folder}"
  xz -f "${file}" && file+=.xz
  note "${file} ($(du -m "${file}" | cut -f1) MB;" \
    "unpacked $(du -sm "${to}" | cut -f1) MB)"
  (($(stat -c %s "${file}") <= SLICE_KIT_MB * 1000000)) ||
    die "the kit is larger than ${SLICE_KIT_MB} MB: use smaller bundles"
}
