# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import subprocess
import tempfile
import unittest
from pathlib import Path

import programs

rooms = programs.load("rooms")

FILES = [f"tmmd/core/{number}.cpp" for number in range(30)] + ["tmmd/os/limits/sink_test.cpp", "docs/policy.md", "README.md"]


def page(drawing: str, rest: str = "") -> str:
    return f"# Title\n\n{rooms.MARK}\n```\n{drawing}\n```\n{rooms.MARK}\n\n{rest}\n"


class Drawing(unittest.TestCase):
    def test_numbers(self):
        self.assertEqual(rooms.wrong_rooms(page(" tmmd/core/ 30   tmmd/os/ 1\n docs/ 1"), FILES), [])
        self.assertEqual(rooms.wrong_rooms(page(" tmmd/core/ 33   tmmd/os/ 3\n docs/ 1"), FILES), [])
        self.assertEqual(rooms.wrong_rooms(page(" tmmd/core/ 34   tmmd/os/ 4\n docs/ 1"), FILES),
                         [f"{rooms.PAGE}: tmmd/core/ has 30 files, not 34", f"{rooms.PAGE}: tmmd/os/ has 1 files, not 4"])

    def test_a_room_that_is_gone(self):
        self.assertEqual(rooms.wrong_rooms(page(" tmmd/gone/ 1  docs/ 1"), FILES), [f"{rooms.PAGE}: tmmd/gone/ has 0 files, not 1"])

    def test_a_folder_that_is_not_drawn(self):
        self.assertEqual(rooms.wrong_rooms(page(" tmmd/core/ 30"), FILES), [f"{rooms.PAGE}: the drawing has no docs/"])

    def test_numbers_are_corrected_in_their_places(self):
        self.assertEqual(rooms.corrected(page(" tmmd/core/  7 |  docs/   12 |"), FILES), page(" tmmd/core/ 30 |  docs/    1 |"))

    def test_a_page_without_a_drawing(self):
        with self.assertRaises(ValueError):
            rooms.wrong_rooms("# Title\n", FILES)


class Paths(unittest.TestCase):
    def missing(self, text: str) -> list[str]:
        return rooms.missing_paths(text, FILES)

    def test_paths_from_the_top_from_tmmd_and_from_docs(self):
        self.assertEqual(self.missing("`tmmd/core/1.cpp`, `os/limits/sink_test`, `core/`, `docs/*.md`, `policy.md`, `tmmd/`"), [])

    def test_paths_of_nothing(self):
        self.assertEqual(self.missing("`os/limits/sink`\n\n```\n 1  core/gone   text and/or prose\n```\n"),
                         [f"{rooms.PAGE}: {path} does not exist" for path in ("and/or", "core/gone", "os/limits/sink")])

    def test_a_row_of_a_table_begins_with_a_room(self):
        self.assertEqual(self.missing("| `tmmd/os/` | adapters: `limits/` |"), [])
        self.assertEqual(self.missing("| `tmmd/os/`, `core/` | `gone/` |\n\n`limits/`"),
                         [f"{rooms.PAGE}: {path} does not exist" for path in ("gone/", "limits/")])

    def test_paths_of_the_machine_and_patterns(self):
        self.assertEqual(self.missing("`/dev/tmm`, `/sys/kernel/mm/tmm`, `experiments/NN-name/`, and/or"), [])


class Crowds(unittest.TestCase):
    def test_at_most_thirty_files(self):
        self.assertEqual(rooms.crowded_folders("", FILES), [])
        self.assertEqual(rooms.crowded_folders("`tmmd/core/`", [*FILES, "tmmd/core/30.cpp"]),
                         ["tmmd/core/ has 31 files of its own: group them by what they do"])

    def test_files_of_folders_inside_do_not_count(self):
        self.assertEqual(rooms.crowded_folders("", [*FILES, "tmmd/core/inside/30.cpp"]), [])

    def test_a_list_of_like_things(self):
        flat = "<!-- flat -->\nFlat: `tmmd/core/`.\n\n`docs/`\n"
        self.assertEqual(rooms.crowded_folders(flat, [*FILES, "tmmd/core/30.cpp"]), [])
        self.assertEqual(rooms.crowded_folders(flat, FILES), [f"{rooms.PAGE}: tmmd/core/ needs no exception"])


class Tree(unittest.TestCase):
    def test_the_page_is_right(self):
        done = subprocess.run([programs.SCRIPTS / "rooms"], stdout=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""), "scripts/rooms --write corrects the numbers of files")

    def test_write(self):
        with tempfile.TemporaryDirectory() as folder:
            top = Path(folder)
            subprocess.run(["git", "init", "-q", top], check=True)
            (top / "docs").mkdir()
            (top / rooms.PAGE).write_text(page(" docs/ 90"))
            subprocess.run(["git", "-C", top, "add", "docs"], check=True)
            command = [programs.SCRIPTS / "rooms", "--write", top]
            self.assertEqual(subprocess.run(command, stdout=subprocess.DEVNULL).returncode, 0)
            self.assertEqual((top / rooms.PAGE).read_text(), page(" docs/  1"))
