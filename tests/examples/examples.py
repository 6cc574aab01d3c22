"""Finds the examples, and what they need: the installed Python client and the
programs."""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
EXAMPLES = os.path.join(ROOT, "examples")
for folder in ("deploy", "integration", "python"):
    sys.path.insert(0, os.path.join(ROOT, "tests", folder))
