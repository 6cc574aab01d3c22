"""Where the tests of the page find what they need. Import this first."""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
for folder in ("deploy", "integration"):
    sys.path.insert(0, os.path.join(ROOT, "tests", folder))

PAGE = os.path.join(ROOT, "server", "page")
MODULES = "/usr/share/nodejs"  # where Debian puts them
