// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/stores/memcached_store.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <functional>
#include <thread>

#include "base/temp_tree.hpp"

namespace tmm::far {
namespace {

using namespace std::chrono_literals;

// Longer than a program should wait for a server, even on a busy machine; none of these would ever end.
constexpr auto too_long = 30s;

class BadServer {
public:
    BadServer() : listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, path().c_str(), sizeof address.sun_path - 1);
        if (::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
            ::listen(listener_.get(), 0) != 0)
            std::abort();
    }
    ~BadServer() {
        ::shutdown(listener_.get(), SHUT_RDWR);
        ends_ = true;
        for (std::thread& thread : threads_)
            thread.join();
    }
    [[nodiscard]] std::string path() const { return (tree_.path() / "server").string(); }

    // Accepts two connections, and says text again and again to each once it was asked something.
    void say_for_ever(std::string_view text, std::chrono::milliseconds pause) {
        for (int i = 0; i < 2; ++i) {
            threads_.emplace_back([this, text, pause] {
                const UniqueFd connection(::accept(listener_.get(), nullptr, nullptr));
                pollfd asked{.fd = connection.get(), .events = POLLIN, .revents = 0};
                while (!ends_ && ::poll(&asked, 1, 10) == 0) {
                }
                for (bool goes_on = true; goes_on && !ends_; std::this_thread::sleep_for(pause))
                    goes_on = ::send(connection.get(), text.data(), text.size(), MSG_NOSIGNAL) > 0;
            });
        }
    }

private:
    const TempTree tree_;
    UniqueFd listener_;
    std::vector<std::thread> threads_;
    std::atomic<bool> ends_ = false;
};

void expect_no_page(BadServer& server) {
    auto store = MemcachedStore::make({server.path()});
    ASSERT_TRUE(store) << store.error().message();
    const auto start = std::chrono::steady_clock::now();
    std::array<char, page_bytes> page{};
    Store::Get one{.entry = 1, .version = 1, .page = page.data(), .is_found = false};
    (*store)->get({&one, 1});
    EXPECT_FALSE(one.is_found);
    EXPECT_LT(std::chrono::steady_clock::now() - start, too_long);
}

TEST(MemcachedStoreTest, LeavesAServerThatNeverEndsItsAnswer) {
    BadServer server;
    server.say_for_ever("VALUE another 0 1\r\nx\r\n", 0ms);
    expect_no_page(server);
}

TEST(MemcachedStoreTest, LeavesAServerThatDripsItsAnswer) {
    BadServer server;
    server.say_for_ever("V", 100ms);
    expect_no_page(server);
}

TEST(MemcachedStoreTest, LeavesAServerThatAcceptsNobody) {
    const BadServer server;
    const auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(MemcachedStore::make({server.path()})) << "its queue has room for one";
    EXPECT_LT(std::chrono::steady_clock::now() - start, too_long);
}

}  // namespace
}  // namespace tmm::far
