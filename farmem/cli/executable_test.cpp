// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/cli/executable.hpp"

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <fstream>

#include "base/temp_tree.hpp"

namespace tmm::far {
namespace {

std::string elf(std::uint32_t type) {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_phoff = sizeof header;
    header.e_phnum = 1;
    Elf64_Phdr segment{};
    segment.p_type = type;
    std::string text(sizeof header + sizeof segment, '\0');
    std::memcpy(text.data(), &header, sizeof header);
    std::memcpy(text.data() + sizeof header, &segment, sizeof segment);
    return text;
}

TEST(ParseHeadTest, TellsDynamicFromStatic) {
    EXPECT_TRUE(parse_head(elf(PT_INTERP)).is_dynamic);
    EXPECT_TRUE(parse_head(elf(PT_LOAD)).is_elf);
    EXPECT_FALSE(parse_head(elf(PT_LOAD)).is_dynamic);
}

TEST(ParseHeadTest, FindsTheInterpreterOfAScript) {
    EXPECT_EQ(parse_head("#! /bin/sh -e\necho").interpreter, "/bin/sh");
    EXPECT_EQ(parse_head("#!/bin/sh").interpreter, "/bin/sh");
}

TEST(ParseHeadTest, TakesAnything) {
    const std::string whole = elf(PT_INTERP);
    for (std::size_t size = 0; size <= whole.size(); ++size)
        (void)parse_head(std::string_view(whole).substr(0, size));
    std::string far_off = whole;
    std::memset(far_off.data() + offsetof(Elf64_Ehdr, e_phoff), 0xff, sizeof(Elf64_Off));
    EXPECT_FALSE(parse_head(far_off).is_dynamic);
    EXPECT_TRUE(parse_head("").interpreter.empty());
    EXPECT_TRUE(parse_head("#!").interpreter.empty());
}

TEST(CheckExecutableTest, RefusesStaticAndSetuidPrograms) {
    TempTree tree;
    const auto write = [&](const std::string& name, const std::string& text, mode_t mode) {
        const std::string path = (tree.path() / name).string();
        std::ofstream(path, std::ios::binary) << text;
        ::chmod(path.c_str(), mode);
        return path;
    };
    EXPECT_TRUE(check_executable(write("dynamic", elf(PT_INTERP), 0755)));
    const std::string is_static = write("static", elf(PT_LOAD), 0755);
    EXPECT_EQ(check_executable(is_static).error().code(), ENOTSUP);
    EXPECT_EQ(check_executable(write("script", "#!" + is_static + "\n", 0755)).error().code(), ENOTSUP);
    EXPECT_EQ(check_executable(write("setuid", elf(PT_INTERP), 04755)).error().code(), EPERM);
    EXPECT_EQ(check_executable((tree.path() / "none").string()).error().code(), ENOENT);
}

}  // namespace
}  // namespace tmm::far
