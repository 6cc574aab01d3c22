"""Trains two small bundles on a made-up package archive, for the tests that run
real processes.

usage: toy_bundle.py OUT

Does nothing when OUT is newer than the trainer.
"""

import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
TRAINER = os.path.join(os.environ["SLICE_BIN_DIR"], "slice-trainer")
# Made-up source packages, three packages each: enough that what all of them
# depend on is a hub, where contexts are cut short.
SOURCES = 280


def run(*command, **options):
    subprocess.run(command, check=True, **options)


def main():
    out = os.path.abspath(sys.argv[1])
    manifest = os.path.join(out, "bundle2", "MANIFEST.json")
    if (os.path.exists(manifest) and
            os.path.getmtime(manifest) > os.path.getmtime(TRAINER)):
        print(f"{manifest} is newer than the trainer")
        return
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    index, graph = os.path.join(out, "index"), os.path.join(out, "graph")
    with open(index, "w", encoding="utf-8") as file:
        run(sys.executable, os.path.join(ROOT, "scripts",
                                         "make_synthetic_archive.py"),
            "--sources", str(SOURCES), stdout=file)
    run(sys.executable, os.path.join(ROOT, "scripts", "make_debian_graph.py"),
        "--input", index, "--min-packages", "1", "--out", graph)
    files = {name: os.path.join(graph, name + ".tsv")
             for name in ("train", "valid", "test", "nodes")}
    # Two versions of one model.
    arguments = [part for name, path in files.items()
                 for part in ("--" + name, path)]
    for bundle, seed in (("bundle", "1"), ("bundle2", "2")):
        run(TRAINER, "fit", *arguments, "--out", os.path.join(out, bundle),
            "--seed", seed)


if __name__ == "__main__":
    main()
