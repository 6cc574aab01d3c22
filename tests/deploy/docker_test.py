"""Every command that starts the image gives the server the time that its stop
takes."""

import os
import re
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
PAGES = ("README.md", "docs/operations.md", "Dockerfile")
LAME_DUCK, DRAIN = 5, 20  # seconds; the defaults of the flags


def commands(path):
    """The commands `docker run`, each on one line."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        text = re.sub(r"\\\n#? *", "", file.read())
    return re.findall(r"^(?:# +)?(docker run .*)$", text, re.M)


class StopTest(unittest.TestCase):

    def test_a_stop_is_given_the_time_that_it_takes(self):
        for path in PAGES:
            with self.subTest(path=path):
                self.assertTrue(commands(path))
                for command in commands(path):
                    seconds = re.search(r" --stop-timeout=(\d+) ", command)
                    self.assertIsNotNone(seconds, command)
                    self.assertGreater(int(seconds[1]), LAME_DUCK + DRAIN)


if __name__ == "__main__":
    unittest.main()
