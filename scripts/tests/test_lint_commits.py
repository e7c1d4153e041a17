# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import programs

lint_commits = programs.load("lint-commits")

SIGNED = "\n\nIt was too slow.\n\nSigned-off-by: A <a@example.org>\n"


class Messages(unittest.TestCase):
    def test_good_messages(self):
        for subject in ("tmmd: read less", "tmmd/core, docs: read less", "run: list the suites", "tmmd.conf: " + "x" * 61):
            self.assertEqual(lint_commits.faults(subject + SIGNED), [], subject)

    def test_subjects(self):
        for subject in ("read less", "Tmmd: read less", "tmmd : read less", "tmmd:read less", "tmmd, : read less", "fixup! tmmd: read less"):
            self.assertEqual(lint_commits.faults(subject + SIGNED), ["the subject is not 'area: imperative'"], subject)

    def test_long_subject(self):
        self.assertEqual(lint_commits.faults("tmmd: " + "x" * 67 + SIGNED), ["the subject has 73 characters, more than 72"])

    def test_body_of_trailers_only(self):
        for body in ("", "\n\n", "\n\nSigned-off-by: A <a@example.org>\nReviewed-by: B <b@example.org>\n"):
            self.assertIn("no body says why", lint_commits.faults("tmmd: read less" + body), body)

    def test_missing_sign_off(self):
        self.assertEqual(lint_commits.faults("tmmd: read less\n\nIt was too slow.\n"), ["it is not signed off (git commit -s)"])


class History(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = Path(folder.name, "repository")
        self.top.mkdir()

    def git(self, *arguments):
        # A user's configuration may want signatures and other names of branches.
        identity = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in (("NAME", "A"), ("EMAIL", "a@example.org"))}
        environment = os.environ | identity | {"GIT_CONFIG_GLOBAL": "/dev/null"}
        subprocess.run(["git", *arguments], cwd=self.top, check=True, env=environment, capture_output=True)

    def commit(self, message):
        self.git("commit", "--allow-empty", "-m", message)

    def lint(self, top=None):
        done = subprocess.run([programs.SCRIPTS / "lint-commits", top or self.top], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def make_history(self):
        self.git("init", "-b", "main")
        self.commit("An old one")
        self.commit(lint_commits.START + SIGNED)
        self.commit("tmmd: read less" + SIGNED)

    def test_only_commits_since_the_start_count(self):
        self.make_history()
        self.assertEqual(self.lint(), (0, ""))
        self.commit("Read even less")
        code, text = self.lint()
        self.assertEqual(code, 1)
        self.assertEqual(len(text.splitlines()), 3)
        self.assertRegex(text, r"(?m)^[0-9a-f]{7,} Read even less: the subject is not 'area: imperative'$")

    def test_only_commits_since_the_newest_release_count(self):
        self.make_history()
        self.commit("A slip")
        self.git("tag", "v1.0")
        self.commit("Another slip")
        self.assertIn("Another slip", self.lint()[1])
        self.git("tag", "v1.1")
        self.assertEqual(self.lint(), (0, ""))

    def test_merges_do_not_count(self):
        self.make_history()
        self.git("checkout", "-b", "topic")
        self.commit("tmmd: write less" + SIGNED)
        self.git("checkout", "main")
        self.git("merge", "--no-ff", "-m", "Merge branch 'topic'", "topic")
        self.assertEqual(self.lint(), (0, ""))

    def test_skips_a_shallow_clone(self):
        self.make_history()
        self.git("clone", "--depth=1", f"file://{self.top}", "shallow")
        code, text = self.lint(self.top / "shallow")
        self.assertEqual(code, 77)
        self.assertIn("does not reach", text)

    def test_skips_a_folder_without_git(self):
        code, text = self.lint()
        self.assertEqual(code, 77)
        self.assertIn("no git repository", text)


if __name__ == "__main__":
    unittest.main()
