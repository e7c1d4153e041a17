// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/stores/ketama.hpp"

#include <gtest/gtest.h>

#include <map>

namespace tmm::far {
namespace {

TEST(KetamaTest, ServersShareTheKeys) {
    const Ketama ketama({"a:11211", "b:11212", "/run/memcached.sock"});
    std::map<std::size_t, int> counts;
    for (int key = 0; key < 3000; ++key)
        ++counts[ketama.server_of("key" + std::to_string(key))];
    for (const auto& [server, count] : counts)
        EXPECT_GT(count, 600) << server;
    EXPECT_EQ(counts.size(), 3U);
}

TEST(KetamaTest, AServerThatIsAddedTakesKeysOnlyForItself) {
    const Ketama before({"a:11211", "b:11211"});
    const Ketama after({"a:11211", "b:11211", "c:11211"});
    for (int key = 0; key < 1000; ++key) {
        const std::string name = "key" + std::to_string(key);
        if (after.server_of(name) != 2) {
            EXPECT_EQ(after.server_of(name), before.server_of(name));
        }
    }
}

}  // namespace
}  // namespace tmm::far
