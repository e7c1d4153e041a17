// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/client/identity.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/temp_tree.hpp"
#include "boinc-adapter/app/files/files.hpp"

namespace tmm::boinc {
namespace {

// As root it becomes another user, as `tmm-boinc --restore` does. Any other user owns the files, and stays the same.
TEST(Identity, IsTheOwnerOfTheStateWhoseFilesItCanReadAndWrite) {
    constexpr uid_t nobody = 65534;
    TempTree tree;
    tree.dir("data").dir("state").file("state/override", format_backup({"text", {{10, 10, true}}}));
    ASSERT_EQ(::chmod((tree.path() / "state/override").c_str(), 0600), 0);
    const uid_t owner = ::geteuid() == 0 ? nobody : ::geteuid();
    if (::geteuid() == 0) {
        for (const char* name : {"state", "state/override"})
            ASSERT_EQ(::chown((tree.path() / name).c_str(), owner, owner), 0);
    }
    const auto work = [&] {
        const RootDir state = tree.root().subdir("state").value();
        Files files(tree.root().subdir("data").value(), tree.root().subdir("state").value());
        const bool is_done = become_owner_of(state, "no such group").has_value() && ::geteuid() == owner && ::setuid(0) != 0 &&
                             files.load_backup().has_value() && files.save_state({}).has_value();
        ::_exit(is_done ? 0 : 1);
    };
    EXPECT_EXIT(work(), testing::ExitedWithCode(0), "");
    struct stat status {};
    ASSERT_EQ(::stat((tree.path() / "state/state").c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, owner);
}

TEST(Identity, StaysInADirectoryOfItsOwn) {
    TempTree tree;
    const uid_t before = ::geteuid();
    EXPECT_TRUE(become_owner_of(tree.root(), "no such group").has_value());
    EXPECT_EQ(::geteuid(), before);
}

}  // namespace
}  // namespace tmm::boinc
