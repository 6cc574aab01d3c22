"""Man pages and completions hold every flag and command of the programs."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts", "lib"))

import completions  # noqa: E402
import man_pages  # noqa: E402
import program_help  # noqa: E402

BIN = os.environ.get("SLICE_BIN_DIR", "")
HELP = """Does things.
Usage: thing [OPTIONS] COMMAND

Options:
  -h, --help                Print this help
  --way NAME                how: plain (as it is), fancy (with
                            more) or none [default plain]
  --file FILE
                            what to read

Commands:
  go                        Goes

Exit codes: 0 ok.
"""


class ParseTest(unittest.TestCase):

    def test_each_part_of_a_help_is_found(self):
        page = program_help.parse(HELP)
        self.assertEqual(page.summary, "Does things.")
        self.assertEqual(page.usage, "thing [OPTIONS] COMMAND")
        self.assertEqual(page.notes, ["Exit codes: 0 ok."])
        self.assertEqual(page.sections["Commands"],
                         [program_help.Entry(["go"], "", "Goes")])
        names = [(flag.names, flag.value) for flag in program_help.flags(page)]
        self.assertEqual(names, [(["-h", "--help"], ""), (["--way"], "NAME"),
                                 (["--file"], "FILE")])
        self.assertEqual(page.sections["Options"][2].text, "what to read")

    def test_the_words_that_a_flag_takes_are_found(self):
        way, file = program_help.flags(program_help.parse(HELP))[1:]
        self.assertEqual(completions.choices(way), ["plain", "fancy", "none"])
        self.assertEqual(completions.choices(file), [])


class ProgramsTest(unittest.TestCase):
    """One page per program, of the programs as they are."""

    @classmethod
    def setUpClass(cls):
        cls.pages = {program: program_help.read(BIN, program)
                     for program in program_help.PROGRAMS}
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        for program, pages in cls.pages.items():
            for shell in ("bash", "zsh", "fish"):
                with open(os.path.join(cls.folder, f"{program}.{shell}"), "w",
                          encoding="utf-8") as file:
                    file.write(getattr(completions, shell)(program, pages))
            with open(os.path.join(cls.folder, f"{program}.1"), "w",
                      encoding="utf-8") as file:
                file.write(man_pages.page(program, pages, "1.2.3",
                                          "2026-01-02"))

    def complete(self, *words):
        """What bash offers for the last of these words."""
        path = os.path.join(self.folder, f"{words[0]}.bash")
        function = "_" + words[0].replace("-", "_")
        script = (f'source "{path}"; COMP_WORDS=("$@"); '
                  f'COMP_CWORD={len(words) - 1}; {function}; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        result = subprocess.run(["bash", "-c", script, "bash", *words],
                                text=True, capture_output=True, check=True)
        self.assertEqual(result.stderr, "")
        return set(result.stdout.split())

    def test_bash_completes_every_flag_and_command(self):
        for program, pages in self.pages.items():
            own = {name for flag in program_help.flags(pages[""])
                   for name in flag.names}
            commands = set(pages) - {""}
            self.assertEqual(self.complete(program, ""), own | commands)
            for command in commands:
                names = {name for flag in program_help.flags(pages[command])
                         for name in flag.names if name.startswith("--")}
                self.assertLessEqual(names,
                                     self.complete(program, command, "--"))

    def test_bash_completes_values(self):
        self.assertEqual(
            self.complete("slice-server", "--forward", ""),
            {"native", "torchscript", "auto", "native-bf16"})
        self.assertEqual(
            self.complete("slice-server", "--tls-client-auth", "req"),
            {"request", "require"})
        self.assertIn(self.folder + "/slice-server.1", self.complete(
            "slice-server", "--config", self.folder + "/slice-server"))

    def test_zsh_and_fish_read_their_completions(self):
        checked = 0
        for shell in ("zsh", "fish"):
            if shutil.which(shell) is None:
                continue
            for program in self.pages:
                subprocess.run(
                    [shell, "-n", os.path.join(self.folder,
                                               f"{program}.{shell}")],
                    check=True)
            checked += 1
        if not checked:
            self.skipTest("neither zsh nor fish is installed")

    def test_zsh_and_fish_know_every_flag(self):
        for program, pages in self.pages.items():
            for shell in ("zsh", "fish"):
                with open(os.path.join(self.folder, f"{program}.{shell}"),
                          encoding="utf-8") as file:
                    text = file.read()
                for flag in (flag for page in pages.values()
                             for flag in program_help.flags(page)):
                    name = flag.names[-1]
                    wanted = (f"'{name}[" if shell == "zsh" else
                              f"-l {name[2:]} ")
                    self.assertIn(wanted, text + " ", (program, shell))

    def test_a_man_page_has_every_flag_and_no_warning(self):
        for program, pages in self.pages.items():
            path = os.path.join(self.folder, f"{program}.1")
            with open(path, encoding="utf-8") as file:
                text = re.sub(r"\\&|\\(?=-)", "", file.read())
            for flag in (flag for page in pages.values()
                         for flag in program_help.flags(page)):
                self.assertIn(f"\\fB{flag.names[-1]}\\fR", text, program)
            for command in set(pages) - {""}:
                self.assertIn(f".SS {command}\n", text)
            if shutil.which("groff") is None:
                continue
            result = subprocess.run(
                ["groff", "-man", "-Tutf8", "-ww", "-K", "utf8", path],
                text=True, capture_output=True, check=True,
                env={**os.environ, "LC_ALL": "C.UTF-8"})
            self.assertEqual(result.stderr, "", program)


if __name__ == "__main__":
    unittest.main()
