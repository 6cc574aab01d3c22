# Sourced by scripts/package: lays out the files of each package and packs them.
# A work folder holds slim/ and, with LibTorch, torch/: what cmake --install
# puts below a prefix, with man pages and completions.
# shellcheck shell=bash

readonly SLICE_SLIM_PROGRAMS=(slice-server slice-client slice-graph)

# install_trees BUILD WORK SLIM: fills the work folder. SLIM is true or false.
install_trees() {
  local build=$1 work=$2 slim=$3
  step "Laying out the programs, man pages and completions"
  cmake --install "${build}" --prefix "${work}/slim" --strip \
    --component slim >/dev/null
  document "${build}" "${work}/slim" "${SLICE_SLIM_PROGRAMS[@]}"
  if ! "${slim}"; then
    cmake --install "${build}" --prefix "${work}/torch" --strip \
      --component torch >/dev/null
    document "${build}" "${work}/torch" slice-trainer
  fi
}

# document BUILD PREFIX PROGRAM...: adds what is made of the programs' --help.
document() {
  local bin="$1/bin" share="$2/share" day
  shift 2
  day=$(date -u -d "@${SOURCE_DATE_EPOCH}" +%Y-%m-%d)
  mkdir -p "${share}/man/man1"
  python3 "${SLICE_ROOT}/scripts/lib/man_pages.py" "${bin}" \
    "${share}/man/man1" "$(version_of "${bin}/$1")" "${day}" "$@"
  gzip -9n "${share}"/man/man1/*.1
  python3 "${SLICE_ROOT}/scripts/lib/completions.py" "${bin}" \
    "${share}/completions" "$@"
}

version_of() { "$1" --version | awk '{print $2}'; }

# write_sbom NAME VERSION OUT ROOT PROGRAM...: ROOT may be "". The programs are
# those before Debian's libraries were put beside them.
write_sbom() {
  local name=$1 version=$2 out=$3 root=$4
  shift 4
  python3 "${SLICE_ROOT}/scripts/lib/sbom.py" --name "${name}" \
    --version "${version}" --epoch "${SOURCE_DATE_EPOCH}" --out "${out}" \
    ${root:+--root "${root}"} "$@"
}

# debian_tree FROM ROOT PACKAGE: puts an installed tree where Debian wants it.
debian_tree() {
  local from=$1 root=$2 doc="$2/usr/share/doc/$3"
  mkdir -p "${root}/DEBIAN" "${root}/usr/share" "${doc}"
  cp -a "${from}/bin" "${root}/usr/"
  [[ ! -d "${from}/lib" ]] || cp -a "${from}/lib" "${root}/usr/"
  cp -a "${from}/share/man" "${root}/usr/share/"
  install -d "${root}/usr/share/bash-completion/completions" \
    "${root}/usr/share/zsh/vendor-completions" \
    "${root}/usr/share/fish/vendor_completions.d"
  cp "${from}"/share/completions/bash/* \
    "${root}/usr/share/bash-completion/completions/"
  cp "${from}"/share/completions/zsh/* \
    "${root}/usr/share/zsh/vendor-completions/"
  cp "${from}"/share/completions/fish/* \
    "${root}/usr/share/fish/vendor_completions.d/"
  [[ ! -d "${from}/share/doc/slice" ]] ||
    cp -a "${from}/share/doc/slice/." "${doc}/"
  rm -f "${doc}/LICENSE" "${doc}/CHANGELOG.md"
  cat >"${doc}/copyright" <<COPYRIGHT
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: slice

Files: *
Copyright: the authors of slice
License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.
COPYRIGHT
  gzip -9nc "${SLICE_ROOT}/CHANGELOG.md" >"${doc}/changelog.gz"
}

# depends_of ROOT FILE...: the Debian packages that the programs and libraries
# below ROOT need, as a list for Depends. Libraries that are in ROOT itself need
# no package.
depends_of() {
  local root=$1 scratch found
  shift
  scratch=$(mktemp -d)
  mkdir -p "${scratch}/debian"
  printf 'Source: slice\n\nPackage: slice\nArchitecture: amd64\n' \
    >"${scratch}/debian/control"
  found=$(cd "${scratch}" && dpkg-shlibdeps -O --ignore-missing-info \
    "-l${root}/usr/lib/slice" "-S${root}" "$@" 2>"${scratch}/errors") ||
    die "dpkg-shlibdeps: $(tail -n 1 "${scratch}/errors")"
  rm -rf "${scratch}"
  printf '%s\n' "${found#shlibs:Depends=}"
}

# pack_deb ROOT PACKAGE VERSION OUT COMPRESSION DEPENDS SUMMARY: reads the long
# description from stdin.
pack_deb() {
  local root=$1 package=$2 version=$3 out=$4 compression=$5 depends=$6
  local file="${out}/${package}_${version}_amd64.deb"
  cat >"${root}/DEBIAN/control" <<CONTROL
Package: ${package}
Version: ${version}
Architecture: amd64
Maintainer: the authors of slice
Section: science
Priority: optional
Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "${root}" | cut -f1)
Depends: ${depends}
Description: $7
$(sed 's/^/ /')
CONTROL
  (cd "${root}" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' |
    sort -z | xargs -0 md5sum) >"${root}/DEBIAN/md5sums"
  chmod -R u=rwX,go=rX "${root}"
  find "${root}" -exec touch -h -d "@${SOURCE_DATE_EPOCH}" {} +
  dpkg-deb --root-owner-group "-Z${compression}" --build "${root}" "${file}" \
    >/dev/null
  note "${file} ($(du -m "${file}" | cut -f1) MB)"
}

# maintainer_scripts ROOT [PREFIX]: what dpkg runs before and after it installs and
# removes a package: the files PREFIX + postinst, prerm and postrm.
maintainer_scripts() {
  local script
  for script in postinst prerm postrm; do
    install -m755 "${SLICE_ROOT}/deploy/debian/${2:-}${script}" \
      "$1/DEBIAN/${script}"
  done
}

# make_server_deb WORK VERSION OUT
make_server_deb() {
  local work=$1 version=$2 out=$3 root="$1/server-deb"
  step "Making the Debian package slice-server"
  debian_tree "${work}/slim" "${root}" slice-server
  install -Dm644 "${SLICE_ROOT}/deploy/systemd/slice-server.service" \
    "${root}/lib/systemd/system/slice-server.service"
  install -Dm644 "${SLICE_ROOT}/deploy/debian/server.yaml" \
    "${root}/etc/slice/server.yaml"
  echo /etc/slice/server.yaml >"${root}/DEBIAN/conffiles"
  maintainer_scripts "${root}"
  write_sbom slice-server "${version}" \
    "${root}/usr/share/doc/slice-server/slice-server.spdx.json" "" \
    "${work}"/slim/bin/*
  pack_deb "${root}" slice-server "${version}" "${out}" xz \
    "$(depends_of "${root}" "${root}"/usr/bin/*)" \
    "predicts links in heterogeneous graphs and explains them" <<'TEXT'
The gRPC server slice-server, its client slice-client and the graph tool
slice-graph. The server runs networks by its own kernels. With the package
slice-trainer it also runs any TorchScript.
TEXT
}

# make_trainer_deb WORK VERSION OUT
make_trainer_deb() {
  local work=$1 version=$2 out=$3 root="$1/trainer-deb" depends
  step "Making the Debian package slice-trainer"
  debian_tree "${work}/torch" "${root}" slice-trainer
  install -Dm644 "${SLICE_ROOT}/deploy/systemd/torchscript.conf" \
    "${root}/lib/systemd/system/slice-server.service.d/torchscript.conf"
  install -m644 -t "${root}/lib/systemd/system" \
    "${SLICE_ROOT}"/deploy/systemd/slice-retrain.{service,timer}
  install -m755 -t "${root}/usr/bin" "${SLICE_ROOT}/deploy/retrain/slice-retrain"
  maintainer_scripts "${root}" slice-trainer.
  write_sbom slice-trainer "${version}" \
    "${root}/usr/share/doc/slice-trainer/slice-trainer.spdx.json" \
    "${work}/torch" "${work}/torch/bin/slice-trainer" \
    "${work}/torch/lib/slice/libslice_torchscript.so"
  depends=$(depends_of "${root}" "${root}/usr/bin/slice-trainer" \
    "${root}/usr/lib/slice/libslice_torchscript.so")
  # The server loads only a library of its own version.
  pack_deb "${root}" slice-trainer "${version}" "${out}" zstd \
    "slice-server (= ${version}), ${depends}" \
    "trains slice's predictors of links" <<'TEXT'
The trainer slice-trainer, with LibTorch and the library by which slice-server
runs TorchScript.
TEXT
}

# portable_tree TO WORK: a tree that needs nothing but the C library.
portable_tree() {
  local to=$1 work=$2
  mkdir -p "${to}"
  cp -a "${work}/slim/." "${to}/"
  [[ "$(basename "${to}")" != slice-full-* ]] || cp -a "${work}/torch/." "${to}/"
  install -Dm644 "${SLICE_ROOT}/deploy/systemd/slice-server.service" \
    "${to}/share/doc/slice/slice-server.service"
  mkdir -p "${to}/lib/slice"
  python3 "${SLICE_ROOT}/scripts/lib/linked_libraries.py" copy \
    "${to}/lib/slice" "${to}"/bin/*
  find "${to}/lib/slice" -type f -exec strip --strip-unneeded {} + 2>/dev/null ||
    true
}

# make_tarball NAME WORK VERSION OUT: NAME is slice or slice-full.
make_tarball() {
  local name=$1 work=$2 version=$3 out=$4
  local folder="$1-$3" tree="$2/$1-$3" file programs=("$2"/slim/bin/*)
  [[ "${name}" == slice ]] ||
    programs+=("${work}"/torch/bin/* "${work}"/torch/lib/slice/libslice_*)
  step "Making the portable archive ${name}"
  portable_tree "${tree}" "${work}"
  write_sbom "${name}" "${version}" "${tree}/share/doc/slice/slice.spdx.json" \
    "${tree}" "${programs[@]}"
  file="${out}/${name}-${version}-linux-x86_64.tar"
  tar -C "${work}" --sort=name --owner=0 --group=0 --numeric-owner \
    --mode=u=rwX,go=rX --mtime="@${SOURCE_DATE_EPOCH}" -cf "${file}" "${folder}"
  if [[ "${name}" == slice ]]; then
    xz -f "${file}" && file+=.xz
  else
    gzip -nf "${file}" && file+=.gz
  fi
  note "${file} ($(du -m "${file}" | cut -f1) MB;" \
    "unpacked $(du -sm "${tree}" | cut -f1) MB)"
}

# make_image_root WORK VERSION ROOT: the files of the slim image. It has no
# shell: nothing but our programs, their libraries, the C library and the
# certificate authorities.
make_image_root() {
  local work=$1 version=$2 root=$3
  step "Making the file tree of the slim image"
  [[ ! -e "${root}" ]] || die "${root} exists already"
  portable_tree "${root}/opt/slice" "${work}"
  rm -rf "${root}/opt/slice/share/man" "${root}/opt/slice/share/completions"
  python3 "${SLICE_ROOT}/scripts/lib/linked_libraries.py" glibc "${root}" \
    "${root}"/opt/slice/bin/*
  write_sbom slice-image "${version}" \
    "${root}/opt/slice/share/doc/slice/slice.spdx.json" "${root}" \
    "${work}"/slim/bin/*
  mkdir -p "${root}/etc/ssl/certs" "${root}/bundle" "${root}/data" \
    "${root}/tmp" "${root}/proc"
  chmod 1777 "${root}/tmp"
  cp -L /etc/ssl/certs/ca-certificates.crt "${root}/etc/ssl/certs/"
  echo 'slice:x:10001:10001::/data:/nonexistent' >"${root}/etc/passwd"
  echo 'slice:x:10001:' >"${root}/etc/group"
  echo 'hosts: files dns' >"${root}/etc/nsswitch.conf"
  # Not root: then only an image builder can change the owner.
  chown 10001:10001 "${root}/data" 2>/dev/null || true
  note "${root} ($(du -sm --apparent-size "${root}" | cut -f1) MB)"
}
