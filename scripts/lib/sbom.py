#!/usr/bin/env python3
"""Writes a software bill of materials: SPDX 2.3 as JSON.

usage: scripts/lib/sbom.py --name NAME --version VERSION --epoch SECONDS
                           --out FILE [--root DIR] PROGRAM ...

It names each shared library that the programs load with its Debian package,
version, licence and SHA-256: that of the library below DIR, which is packed with
slice, or else of the one that is installed here. docs/third_party.md is the list
for readers.
"""

import argparse
import datetime
import functools
import hashlib
import json
import os
import re
import subprocess
import sys

import linked_libraries

# Source package of Debian -> licence of its libraries. Those that are missing
# here are NOASSERTION, which a test forbids.
LICENCES = {
    "abseil": "Apache-2.0", "brotli": "MIT", "bzip2": "bzip2-1.0.6",
    "c-ares": "MIT",
    "cyrus-sasl2": "BSD-Attribution-HPND-disclaimer",
    "elfutils": "LGPL-3.0-or-later",
    "fmtlib": "MIT", "gcc-12": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "gflags": "BSD-3-Clause", "glibc": "LGPL-2.1-or-later",
    "grpc": "Apache-2.0", "librdkafka": "BSD-2-Clause", "liburing": "MIT",
    "lz4": "BSD-2-Clause", "nats.c": "Apache-2.0",
    "openssl": "Apache-2.0", "prometheus-cpp": "MIT",
    "protobuf": "BSD-3-Clause", "protobuf-c": "BSD-2-Clause",
    "re2": "BSD-3-Clause", "rocksdb": "Apache-2.0", "snappy": "BSD-3-Clause",
    "spdlog": "MIT",
    "systemd": "LGPL-2.1-or-later", "libcap2": "BSD-3-Clause",
    "tbb": "Apache-2.0", "onetbb": "Apache-2.0", "xxhash": "BSD-2-Clause",
    "yaml-cpp": "MIT", "zlib": "Zlib", "libzstd": "BSD-3-Clause",
    "jemalloc": "BSD-2-Clause", "numactl": "LGPL-2.1-only",
}
# What the LibTorch wheel brings, by the start of the library's name.
LIBTORCH = (("libtorch", "LibTorch", "BSD-3-Clause"),
            ("libc10", "LibTorch", "BSD-3-Clause"),
            ("libgomp", "libgomp of LibTorch",
             "GPL-3.0-or-later WITH GCC-exception-3.1"),
            ("libcudart", "CUDA runtime", "LicenseRef-NVIDIA-CUDA-EULA"),
            ("libcupti", "CUPTI", "LicenseRef-NVIDIA-CUDA-EULA"))
# Of these the programs hold headers, or scripts (the page of the server): no
# program loads a library of theirs.
HEADERS = (("nlohmann-json3-dev", "MIT"), ("libcli11-dev", "BSD-3-Clause"),
           ("libboost1.74-dev", "BSL-1.0"),
           ("node-d3-scale", "BSD-3-Clause"), ("node-d3-shape", "BSD-3-Clause"))
NVIDIA = {"licenseId": "LicenseRef-NVIDIA-CUDA-EULA",
          "extractedText": "NVIDIA CUDA Toolkit End User License Agreement, "
                           "https://docs.nvidia.com/cuda/eula/"}
WHEELS = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "libtorch_wheels.txt")


def sha(path, kind):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, kind).hexdigest()


def run(*command):
    return subprocess.run(command, text=True, check=True,
                          capture_output=True).stdout


@functools.cache
def debian_package(path):
    """(name, version, source) of the installed package that owns a file."""
    for name in dict.fromkeys((path, os.path.realpath(path),
                               os.path.realpath(path).removeprefix("/usr"))):
        try:
            owner = run("dpkg-query", "-S", name).split(": ")[0].split(",")[0]
        except subprocess.CalledProcessError:
            continue
        fields = run("dpkg-query", "-W", "-f",
                     "${Package}\t${Version}\t${source:Package}", owner)
        return tuple(fields.split("\t"))
    return None


def wheel_version(part):
    """The version that libtorch_wheels.txt pins of a part of LibTorch."""
    wheel = {"CUDA runtime": "nvidia-cuda-runtime",
             "CUPTI": "nvidia-cuda-cupti"}.get(part, "torch")
    with open(WHEELS, encoding="utf-8") as file:
        found = re.search(rf"^{wheel}(?:-cu\d+)?==([^\s;\\]+)", file.read(),
                          re.MULTILINE)
    return found[1] if found else sys.exit(f"sbom: no version of {wheel}")


def package(name, version, licence, **more):
    identifier = re.sub(r"[^A-Za-z0-9.-]", "-", name)
    return {"SPDXID": f"SPDXRef-Package-{identifier}", "name": name,
            "versionInfo": version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
            "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more}


def purl(name, version):
    return {"externalRefs": [{
        "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
        "referenceLocator": f"pkg:deb/debian/{name}@{version}?distro=bookworm"}]}


def part_of(name, path):
    """The SPDX package that a library belongs to."""
    for start, part, licence in LIBTORCH:
        if name.startswith(start) and not path.startswith(("/lib", "/usr")):
            return package(part, wheel_version(part), licence)
    owner = debian_package(path)
    if owner is None:
        return None
    return package(owner[0], owner[1], LICENCES.get(owner[2], "NOASSERTION"),
                   **purl(owner[0], owner[1]))


class Document:
    """The document while it is filled."""

    def __init__(self, given):
        self.slice = package(given.name, given.version, "Apache-2.0")
        self.packages = {self.slice["SPDXID"]: self.slice}
        self.files = []
        self.relations = [("SPDXRef-DOCUMENT", "DESCRIBES",
                           self.slice["SPDXID"])]

    def add_file(self, name, path, relation, owner):
        identifier = "SPDXRef-File-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)
        self.files.append({
            "SPDXID": identifier, "fileName": "./" + name,
            "checksums": [
                {"algorithm": kind.upper(), "checksumValue": sha(path, kind)}
                for kind in ("sha1", "sha256")],
            "licenseConcluded": owner["licenseDeclared"],
            "licenseInfoInFiles": ["NOASSERTION"],
            "copyrightText": "NOASSERTION"})
        self.relations.append((identifier, relation, owner["SPDXID"]))

    def add_library(self, name, source, packed):
        """Adds a library, installed here at `source`; `packed` is its path in
        what is shipped, or nothing."""
        owner = part_of(name, source)
        if owner is None:
            sys.exit(f"sbom: no package owns {source}")
        if owner["SPDXID"] not in self.packages:
            self.packages[owner["SPDXID"]] = owner
            self.relations.append(
                (self.slice["SPDXID"], "DEPENDS_ON", owner["SPDXID"]))
        self.add_file(os.path.basename(packed or source), packed or source,
                      "EXPANDED_FROM_ARCHIVE", owner)

    def add_headers(self):
        for name, licence in HEADERS:
            version = run("dpkg-query", "-W", "-f", "${Version}", name)
            one = package(name, version, licence, **purl(name, version))
            self.packages[one["SPDXID"]] = one
            self.relations.append((one["SPDXID"], "BUILD_DEPENDENCY_OF",
                                   self.slice["SPDXID"]))

    def json(self, given):
        when = datetime.datetime.fromtimestamp(given.epoch, datetime.UTC)
        digest = hashlib.sha256(json.dumps(
            [self.files, sorted(self.packages)]).encode()).hexdigest()
        uses_cuda = any("NVIDIA" in one["licenseDeclared"]
                        for one in self.packages.values())
        return {
            "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0",
            "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"{given.name}-{given.version}",
            "documentNamespace": f"https://spdx.org/spdxdocs/{given.name}-"
                                 f"{given.version}-{digest[:32]}",
            "creationInfo": {
                "created": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
                "creators": [f"Tool: slice-sbom-{given.version}"]},
            "packages": list(self.packages.values()), "files": self.files,
            "relationships": [
                {"spdxElementId": one, "relationshipType": kind,
                 "relatedSpdxElement": other}
                for one, kind, other in self.relations],
            **({"hasExtractedLicensingInfos": [NVIDIA]} if uses_cuda else {})}


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    for flag in ("--name", "--version", "--out"):
        parser.add_argument(flag, required=True)
    parser.add_argument("--epoch", type=int, required=True)
    parser.add_argument("--root", help="folder of what is shipped")
    parser.add_argument("programs", nargs="+")
    given = parser.parse_args()
    document = Document(given)
    for program in given.programs:
        document.add_file(os.path.basename(program), program, "GENERATED_FROM",
                          document.slice)
    shipped = {name: os.path.join(at, name) for at, _, names in
               os.walk(given.root or os.devnull) for name in names}
    for name, path in sorted(linked_libraries.closure(given.programs).items()):
        packed = shipped.get(name)
        if linked_libraries.GLIBC.match(name) and not packed:
            continue
        document.add_library(name, path, packed)
    document.add_headers()
    with open(given.out, "w", encoding="utf-8") as file:
        json.dump(document.json(given), file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
