# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
import io
import pathlib
import socket
import tempfile
import unittest
import unittest.mock

from .fakes import FolderTest
from .guest.desktop import applications, clock, diary, files, marionette, session
from .report import latencies, records


class LogCase(FolderTest):
    def setUp(self) -> None:
        super().setUp()
        self.path = self.folder / "latencies.csv"
        self.log = clock.LatencyLog(self.path)
        self.addCleanup(self.log.file.close)

    def seconds(self) -> list[latencies.Second]:
        return records.parse(latencies.Second, self.path.read_text(encoding="utf-8"), "l.csv")


class LatencyLogTest(LogCase):
    def test_a_row_for_every_second_that_had_interactions(self) -> None:
        self.log.add(5.0, 5.25)
        self.log.add(5.25, 5.75)
        self.assertEqual(self.seconds(), [])
        self.log.add(6.0, 8.0)
        self.assertEqual(self.seconds(), [latencies.Second(5, 2, 375.0, 500.0, 5.25)])
        self.log.flush()
        self.log.flush()
        self.assertEqual(self.seconds()[1:], [latencies.Second(8, 1, 2000.0, 2000.0, 8.0)])

    def test_the_break_does_not_count(self) -> None:
        self.log.returned(100.0)
        self.log.add(10.0, 100.5)
        self.log.flush()
        self.assertEqual(self.seconds()[0].max_ms, 500.0)


class SessionTest(LogCase):
    """A person whose interactions take a second each; the clock goes on only by them and by pauses."""

    def setUp(self) -> None:
        super().setUp()
        self.now_s = 10.0
        self.done: list[str] = []

    def interact(self, name: str, ends_after: int) -> None:
        self.now_s += 1.0
        if len(self.done) == ends_after:
            raise SystemExit(0)
        self.done.append(name)

    def pause(self, seconds: float) -> None:
        self.now_s += seconds

    def test_applications_take_turns_and_the_last_interaction_counts_though_cut_short(self) -> None:
        both = [lambda: self.interact("browser", 3), lambda: self.interact("office", 3)]
        with self.assertRaises(SystemExit):
            session.work(both, self.log, lambda: self.now_s, self.pause)
        self.assertEqual(self.done, ["browser", "office", "browser"])
        self.assertEqual([(second.t_s, second.mean_ms) for second in self.seconds()],
                         [(11, 1000.0), (12, 1000.0), (14, 1000.0), (15, 1000.0)])

    def test_a_diary_tells_which_application_is_used_and_when_nobody_is_there(self) -> None:
        written = io.StringIO()
        used = {name: lambda name=name: self.interact(name, 999) for name in diary.APPLICATIONS}
        diary.follow(diary.parse("browser 1, away 2, office 1"), used, self.log, written, lambda: self.now_s, self.pause)
        # An interaction takes a second, the pause after it half of one.
        self.assertEqual(self.done, 40 * ["browser"] + 40 * ["office"])
        self.assertEqual(written.getvalue(), "t_s,doing,minutes\n10.000,browser,1\n70.000,away,2\n190.000,office,1\n")

    def test_an_interaction_that_takes_longer_than_its_span_shortens_the_next(self) -> None:
        written = io.StringIO()
        used = {"office": lambda: self.pause(90), "viewer": lambda: self.interact("viewer", 999)}
        diary.follow(diary.parse("office 1, viewer 1"), used, self.log, written, lambda: self.now_s, self.pause)
        self.assertEqual(len(self.done), 20, "half a minute is left")
        self.assertIn("\n70.000,viewer,1\n", written.getvalue())

    def test_a_diary_that_cannot_be_followed(self) -> None:
        for text in ("", "browser", "browser 0", "browser 7,", "editor 7", "browser 7 away 4", "browser -1"):
            with self.assertRaises(diary.DiaryError):
                diary.parse(text)

    def test_an_end_in_a_pause_cuts_nothing_short(self) -> None:
        def leave(_: float) -> None:
            raise SystemExit(0)

        with self.assertRaises(SystemExit):
            session.work([lambda: self.interact("browser", 9)], self.log, lambda: self.now_s, leave)
        self.assertEqual(len(self.seconds()), 1)


def framed(text: str) -> bytes:
    return f"{len(text)}:{text}".encode()


class FakeRemote:
    """A browser's remote control that remembers the tabs it went to."""

    def __init__(self) -> None:
        self.tabs = ["tab 0"]
        self.visited: list[str] = []

    def call(self, command: str, **arguments: object) -> object:
        if command == "WebDriver:NewWindow":
            self.tabs.append(f"tab {len(self.tabs)}")
        elif command == "WebDriver:SwitchToWindow":
            self.visited.append(str(arguments["handle"]))
        return list(self.tabs) if command == "WebDriver:GetWindowHandles" else None


class BrowserTest(unittest.TestCase):
    def visited(self, left_tabs: int) -> tuple[list[str], list[str]]:
        """The tabs that were loaded, and those of two rounds of interactions."""
        remote = FakeRemote()
        with tempfile.TemporaryDirectory() as name, unittest.mock.patch("subprocess.Popen"), \
                unittest.mock.patch.object(marionette.Marionette, "connect", return_value=remote):
            browser = applications.Browser(pathlib.Path(name), pathlib.Path(name), pathlib.Path(name) / "log", left_tabs)
            loaded, remote.visited = remote.visited, []
            for _ in range(2 * files.PAGES):
                browser.interact()
        return loaded, remote.visited

    def test_goes_to_all_tabs_in_turn(self) -> None:
        loaded, used = self.visited(0)
        self.assertEqual((loaded, used), ([f"tab {i}" for i in range(5)], 2 * loaded))

    def test_left_tabs_are_loaded_once(self) -> None:
        loaded, used = self.visited(3)
        self.assertEqual((loaded, used), ([f"tab {i}" for i in range(8)], 2 * loaded[3:]))


class ViewerTest(unittest.TestCase):
    def test_one_that_ends_is_an_error_at_once(self) -> None:
        with tempfile.TemporaryDirectory() as name, unittest.mock.patch.dict("os.environ", PATH=f"{name}:/usr/bin:/bin"):
            folder = pathlib.Path(name)
            for program in ("feh", "xdotool"):
                (folder / program).write_text("#!/bin/sh\nexit 1\n", encoding="ascii")
                (folder / program).chmod(0o755)
            with self.assertRaisesRegex(applications.ApplicationError, "no picture"):
                applications.Viewer(folder, folder / "log")


class MarionetteTest(unittest.TestCase):
    def setUp(self) -> None:
        ours, self.browser = socket.socketpair()
        self.addCleanup(ours.close)
        self.addCleanup(self.browser.close)
        self.browser.sendall(framed('{"marionetteProtocol":3}') + framed('[1,1,null,"ok"]'))
        self.remote = marionette.Marionette(ours)

    def test_a_command_and_its_answer(self) -> None:
        self.assertEqual(self.remote.call("WebDriver:Navigate", url="file:///x"), "ok")
        self.assertEqual(self.browser.recv(999), framed('[0, 1, "WebDriver:Navigate", {"url": "file:///x"}]'))

    def test_what_the_browser_refuses_is_an_error(self) -> None:
        self.remote.call("WebDriver:Navigate")
        self.browser.sendall(framed('[1,2,{"error":"no such window","message":"gone"},null]'))
        with self.assertRaisesRegex(marionette.MarionetteError, "WebDriver:Close: no such window: gone"):
            self.remote.call("WebDriver:Close")

    def test_an_answer_to_something_else_is_an_error(self) -> None:
        self.remote.number = 7
        with self.assertRaisesRegex(marionette.MarionetteError, "not an answer to WebDriver:Close"):
            self.remote.call("WebDriver:Close")

    def test_a_browser_that_ends_is_an_error(self) -> None:
        self.remote.call("WebDriver:Navigate")
        self.browser.close()
        with self.assertRaises((marionette.MarionetteError, OSError)):
            self.remote.call("WebDriver:Close")

    def test_messages_come_in_pieces(self) -> None:
        whole = marionette.encode(1, "a", {})
        for length in range(len(whole)):
            self.assertIsNone(marionette.decode(whole[:length]))
        self.assertEqual(marionette.decode(whole + b"9"), ([0, 1, "a", {}], b"9"))

    def test_what_is_no_message_is_an_error(self) -> None:
        for text in (b"x:1", b"a" * 30, b"-1:", b"2:{x", b"1:\xff"):
            with self.assertRaises(marionette.MarionetteError):
                marionette.decode(text)

    def test_nobody_listens(self) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            with self.assertRaisesRegex(marionette.MarionetteError, "does not listen"):
                marionette.Marionette.connect(unused.getsockname()[1], 0)


class FilesTest(unittest.TestCase):
    def test_are_the_same_each_time(self) -> None:
        self.assertEqual(files.page(1, 1), files.page(1, 1))
        self.assertNotEqual(files.page(1, 1), files.page(2, 2))
        self.assertEqual(files.sheet(2, 3, 1).count(","), 4)
        picture = files.png(3, 2, 1)
        self.assertTrue(picture.startswith(b"\x89PNG\r\n"))
        self.assertTrue(picture.endswith(b"IEND\xaeB`\x82"))

    def test_what_stands_in_their_place_is_an_error(self) -> None:
        small = {"png": lambda *_, **__: b"", "page": lambda *_, **__: "", "sheet": lambda *_, **__: ""}
        with tempfile.TemporaryDirectory() as name, unittest.mock.patch.multiple(files, **small):
            folder = pathlib.Path(name) / "files"
            folder.touch()
            with self.assertRaises(NotADirectoryError):
                files.make_files(folder)
            folder.unlink()
            folder.with_suffix(".part").rename(pathlib.Path(name) / "left by the attempt before")
            files.make_files(folder)
            files.make_files(folder)
            self.assertEqual(len(list(folder.iterdir())), files.PICTURES + files.PAGES + 1)
