# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import subprocess
import tempfile
import unittest
from pathlib import Path

import programs

lint_includes = programs.load("lint-includes")

RULES = "base:\ntmmd: base\ntmmd/app: tmmd base  # the top\n"
FILES = {
    "base/result.hpp": "#include <string>\n",
    "tmmd/core.hpp": '#include "base/result.hpp"\n',
    "tmmd/app/main.cpp": '#include "tmmd/core.hpp"\n#include "generated.h"\n#include "daemon.hpp"\n',
    "tmmd/app/daemon.hpp": "// #include \"tmmd/app/main.cpp\"\n",
}


class IncludesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = Path(folder.name)
        self.write(**{"scripts/include-rules": RULES}, **FILES)

    def write(self, **files):
        for name, text in files.items():
            file = self.top / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def lint(self):
        done = subprocess.run([programs.SCRIPTS / "lint-includes", self.top], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.returncode, 1 if done.stdout else 0)
        return done.stdout.splitlines()

    def test_a_tree_that_keeps_the_rules(self):
        self.assertEqual(self.lint(), [])

    def test_an_arrow_upwards(self):
        self.write(**{"tmmd/core.cpp": '  #  include "tmmd/app/daemon.hpp"\n'})
        self.assertEqual(self.lint()[-1], "tmmd/core.cpp includes tmmd/app/daemon.hpp, but tmmd may not use tmmd/app")

    def test_angle_brackets_count(self):
        self.write(**{"base/result.hpp": "#include <tmmd/app/daemon.hpp>\n"})
        self.assertEqual(self.lint()[-1], "base/result.hpp includes tmmd/app/daemon.hpp, but base may not use tmmd/app")

    def test_a_cycle_of_files(self):
        self.write(**{"tmmd/core.hpp": '#include "tmmd/policy.hpp"\n', "tmmd/policy.hpp": '#include "core.hpp"\n'})
        self.assertEqual(self.lint(), ["files include each other: tmmd/core.hpp -> tmmd/policy.hpp -> tmmd/core.hpp"])

    def test_a_cycle_of_folders_in_one_room(self):
        self.write(**{"tmmd/core.cpp": '#include "tmmd/detail/a.hpp"\n', "tmmd/detail/a.hpp": "", "tmmd/detail/a.cpp": '#include "tmmd/core.hpp"\n'})
        self.assertEqual(self.lint(), ["folders include each other: tmmd -> tmmd/detail -> tmmd"])
        self.write(**{"scripts/include-rules": RULES + "cycle: tmmd tmmd/detail\n"})
        self.assertEqual(self.lint(), [])

    def test_a_file_as_a_room(self):
        self.write(**{"tmmd/bench.cpp": '#include "tmmd/app/daemon.hpp"\n'})
        self.assertEqual(len(self.lint()), 2)
        self.write(**{"scripts/include-rules": RULES + "tmmd/bench.cpp: tmmd/app\n"})
        self.assertEqual(self.lint(), [])

    def test_a_file_in_no_room(self):
        self.write(**{"fuzz/target.cpp": ""})
        self.assertEqual(self.lint(), ["fuzz/target.cpp is in no room of scripts/include-rules"])

    def test_a_room_without_files(self):
        self.write(**{"scripts/include-rules": RULES + "tmmd/os: base\n"})
        self.assertEqual(self.lint(), ["scripts/include-rules: no file is in tmmd/os"])

    def test_the_longest_room_counts(self):
        rules = lint_includes.parse_rules(RULES)
        self.assertEqual(rules.room_of("tmmd/app/sub/file.cpp"), "tmmd/app")
        self.assertEqual(rules.room_of("tmmd/application/file.cpp"), "tmmd")
        self.assertIsNone(rules.room_of("tmmd2/file.cpp"))

    def test_all_rooms_below_a_folder(self):
        rules = lint_includes.parse_rules(RULES + "fuzz: tmmd/*\n")
        self.assertEqual(rules.allowed["fuzz"], {"tmmd", "tmmd/app"})
        with self.assertRaisesRegex(lint_includes.RulesError, r"fuzz may use core/\*, which has no rule"):
            lint_includes.parse_rules(RULES + "fuzz: core/*\n")

    def test_rules_that_form_a_cycle(self):
        self.write(**{"scripts/include-rules": "base: tmmd\ntmmd: base\n"})
        self.assertEqual(self.lint(), ["scripts/include-rules: the rules have a cycle: base -> tmmd -> base"])

    def test_rules_that_cannot_be_read(self):
        for rules, message in (("base: core\n", ": base may use core, which has no rule"), ("base:\nbase:\n", ":2: 'base' has a rule already"),
                               ("base core\n", ":1: expected 'ROOM: ROOM...' or 'cycle: FOLDER FOLDER...'")):
            self.write(**{"scripts/include-rules": rules})
            self.assertEqual(self.lint(), [f"scripts/include-rules{message}"])


if __name__ == "__main__":
    unittest.main()
