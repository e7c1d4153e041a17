# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: LGPL-2.1-or-later
import random
import unittest

from example_test import ExampleTest, fields


class ThumbnailsTest(ExampleTest):
    def setUp(self):
        super().setUp()
        samples = random.Random(1)
        for number, (width, height) in enumerate([(200, 150), (64, 64), (1, 1), (3, 500), (640, 64), (65, 63)]):
            for kind, channels, suffix in (("P6", 3, "ppm"), ("P5", 1, "pgm")):
                header = f"{kind}\n# by a camera\n{width} {height}\n255\n".encode()
                self.picture(f"{number}.{suffix}", header + samples.randbytes(width * height * channels))

    def picture(self, name, content):
        (self.folder / name).write_bytes(content)

    def shown(self, *options):
        return fields(self.run_program(*options, self.folder)[0])

    def test_soft_thumbnails_are_those_that_are_rendered_each_time(self):
        each_time = self.shown("--no-softlib")
        self.assertEqual((each_time["shown"], each_time["rendered"], each_time["skipped"]), (72, 72, 0))
        softly = self.shown()
        self.assertEqual((softly["shown"], softly["rendered"]), (72, 12))
        self.assertEqual(softly["checksum"], each_time["checksum"])

    def test_the_same_is_shown_whatever_is_lost(self):
        all_there = self.shown()
        for probability in (0.02, 0.5, 1):
            with self.subTest(probability=probability):
                lossy = self.shown("--lose", probability)
                self.assertEqual((lossy["shown"], lossy["checksum"]), (72, all_there["checksum"]))
                self.assertGreater(lossy["rendered"], 12)
                self.assertLess(lossy["rendered"], 72)

    def test_another_picture_has_another_checksum(self):
        before = self.shown()["checksum"]
        self.picture("0.pgm", b"P5 1 1 255\n\x80")
        self.assertNotEqual(self.shown()["checksum"], before)

    def test_a_thumbnail_is_the_mean_of_what_it_stands_for(self):
        for old in self.folder.iterdir():
            old.unlink()
        self.picture("grey.pgm", b"P5 64 64 255\n" + b"\x64" * 64 * 64)
        grey = self.shown()["checksum"]
        self.picture("grey.pgm", b"P5 128 128 255\n" + (b"\x00\xc8" * 64 + b"\xc8\x00" * 64) * 64)
        self.assertEqual(self.shown()["checksum"], grey)

    def test_bad_pictures_are_named_and_skipped(self):
        good = self.shown()["checksum"]
        bad = {"8-text.ppm": b"P3 1 1 255 0 0 0", "8-empty.ppm": b"", "8-header.ppm": b"P6 # ",
               "8-nothing.pgm": b"P5 0 1 255\n", "8-negative.pgm": b"P5 -1 1 255\n", "8-deep.pgm": b"P5 1 1 65535\n\0\0",
               "8-huge.ppm": b"P6 65535 65535 255\n", "8-short.pgm": b"P5 4 4 255\n123456789012345"}
        for name, content in bad.items():
            self.picture(name, content)
        for options in ([], ["--no-softlib"]):
            with self.subTest(options=options):
                output, messages = self.run_program(*options, self.folder)
                self.assertEqual(fields(output)["skipped"], len(bad))
                self.assertEqual(len(messages.splitlines()), len(bad), messages)
                for name in bad:
                    self.assertIn(f"/{name} ", messages)
        for name in bad:
            (self.folder / name).unlink()
        self.assertEqual(self.shown()["checksum"], good)

    def test_a_folder_without_pictures_is_an_error(self):
        empty = self.folder / "empty"
        empty.mkdir()
        self.assertIn("no picture", self.run_program(empty, code=1)[1])
        self.assertIn("No such file", self.run_program(self.folder / "none", code=1)[1])

    def test_wrong_arguments_are_refused(self):
        for arguments in ([], ["a", "b"], ["--lose", "2", "a"], ["--lose", "x", "a"], ["--lose", "nan", "a"], ["--other", "a"]):
            with self.subTest(arguments=arguments):
                self.assertIn("Usage", self.run_program(*arguments, code=2)[1])


if __name__ == "__main__":
    unittest.main()
