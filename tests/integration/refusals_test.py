"""Malformed inputs and typing mistakes get the messages of refusals.txt.

The head of that file says how a case is written. A program runs in a folder of
its own with the files of the case. It must end with the status, write the
message to standard error and nothing to standard output, and leave no file
behind.
"""

import os
import subprocess
import tempfile
import unittest

import processes

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "refusals.txt")


def unescaped(text):
    """The bytes of a text with escapes such as \\t and \\xff."""
    return text.encode().decode("unicode_escape").encode("latin-1")


def cases():
    """Each case as (line, title, fields); fields are (name, value) pairs."""
    found = []
    with open(TABLE, encoding="utf-8") as table:
        for number, line in enumerate(table, 1):
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            if line.startswith("== "):
                found.append((number, line[3:], []))
                continue
            name, _, value = line.partition(": ")
            found[-1][2].append((name, value))
    return found


def files_in(folder):
    return sorted(os.path.join(path, name)
                  for path, _, names in os.walk(folder) for name in names)


def run(fields):
    """(status, standard output, standard error, files left) of a case."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = []
        for name, value in fields:
            if name.startswith("file "):
                with open(os.path.join(folder, name[5:]), "wb") as file:
                    file.write(unescaped(value))
            elif name == "run":
                arguments = [unescaped(word) for word in value.split(" ")]
        before = files_in(folder)
        program = os.path.join(processes.BIN, arguments[0].decode())
        done = subprocess.run(
            [program.encode(), *arguments[1:]], cwd=folder, check=False,
            capture_output=True, stdin=subprocess.DEVNULL,
            timeout=processes.HANG_SECONDS)
        left = [name for name in files_in(folder) if name not in before]
        return (done.returncode, done.stdout.decode(), done.stderr.decode(),
                left)


class RefusalsTest(unittest.TestCase):

    def test_each_case_gets_its_message(self):
        for number, title, fields in cases():
            with self.subTest(f"refusals.txt:{number}: {title}"):
                wanted = "".join(value + "\n" for name, value in fields
                                 if name == "says")
                status = [int(value) for name, value in fields
                          if name == "status"] or [2]
                got_status, out, errors, left = run(fields)
                self.assertEqual(errors, wanted)
                self.assertEqual(got_status, status[0])
                self.assertEqual(out, "")
                self.assertEqual(left, [])

    def test_there_are_enough_cases(self):
        self.assertGreaterEqual(len(cases()), 25)
        titles = [title for _, title, _ in cases()]
        self.assertEqual(len(titles), len(set(titles)))


def write_anew():
    """Prints the table with the messages that the programs write now."""
    with open(TABLE, encoding="utf-8") as table:
        head = table.read().split("\n== ")[0] + "\n"
    print(head, end="")
    for _, title, fields in cases():
        status, _, errors, _ = run(fields)
        print(f"== {title}")
        for name, value in fields:
            if name not in ("says", "status"):
                print(f"{name}: {value}")
        if status != 2:
            print(f"status: {status}")
        for line in errors.splitlines():
            print(f"says: {line}")
        print()


if __name__ == "__main__":
    if os.environ.get("SLICE_WRITE_REFUSALS"):
        write_anew()
    else:
        unittest.main()
