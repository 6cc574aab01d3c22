"""Generates the messages of the wire contract before the package is built. The
package requires what they run with."""

import pathlib
import sys

from setuptools import setup

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import generate

generate.generate()
setup(install_requires=[*generate.requirements(),
                        "googleapis-common-protos>=1.66"])
