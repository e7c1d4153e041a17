// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/net/connection.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <string>
#include <string_view>

namespace tmm::caches {
namespace {

using Need = Connection::Need;

// Answers each letter: a digit n wants n * 100000 bytes in all, and swallows none; "s" swallows 5 bytes; "b" answers with 1 MB;
// "q" quits.
class Letters final : public Session {
public:
    Progress handle(std::string_view input, Output& output, const Turn& turn) override {
        Progress progress;
        for (std::size_t requests = 0; progress.used < input.size(); ++requests) {
            if (requests == turn.max_requests || output.bytes() > turn.max_output_bytes) {
                progress.again = true;
                break;
            }
            const char letter = input[progress.used];
            const std::size_t size = letter >= '1' && letter <= '9' ? std::size_t(letter - '0') * 100000 : 1;
            if (input.size() - progress.used < size) {
                progress.wanted = size;
                break;
            }
            progress.used += size;
            if (letter == 'B')
                output.add(Buffer(std::string(1000000, 'b')));
            else
                output.text() += letter;
            progress.closes = letter == 'Q';
            progress.swallow_bytes = letter == 'S' ? 5 : 0;
            if (progress.swallow_bytes > 0 || progress.closes)
                break;
        }
        return progress;
    }
};

class ConnectionTest : public testing::Test {
protected:
    static constexpr std::size_t max_user_bytes = 250000;

    struct Client {
        UniqueFd socket;
        std::unique_ptr<Connection> connection;
    };
    Client connect(const std::shared_ptr<Account>& account) {
        std::array<int, 2> ends{};
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()), 0);
        Client client{UniqueFd(ends[0]), std::make_unique<Connection>(UniqueFd(ends[1]), Peer{}, account, 4)};
        client.connection->start([](const Peer&, Output&) { return std::make_unique<Letters>(); }, {});
        return client;
    }
    Need serve(Client& client) { return client.connection->serve(scratch_, traffic_, {}); }
    static void send(Client& client, std::string_view bytes) {
        ASSERT_EQ(::send(client.socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT), static_cast<ssize_t>(bytes.size()));
    }
    // Sends all, and serves until the client has to read or send.
    Need send_all(Client& client, std::string_view bytes) {
        Need need = Need::read;
        while (!bytes.empty()) {
            const ssize_t sent = ::send(client.socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
            bytes.remove_prefix(sent > 0 ? static_cast<std::size_t>(sent) : 0);
            need = serve(client);
            if (need == Need::memory || need == Need::close)
                return need;
        }
        for (std::uint64_t before = 0; before != traffic_.read_bytes;) {
            before = traffic_.read_bytes;
            need = serve(client);
        }
        return need;
    }
    static std::string receive(Client& client) {
        std::string all;
        std::array<char, 65536> bytes{};
        for (ssize_t got = 0; (got = ::recv(client.socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT)) > 0;)
            all.append(bytes.data(), static_cast<std::size_t>(got));
        return all;
    }

    std::array<char, 65536> scratch_{};
    Connection::Traffic traffic_;
    std::shared_ptr<Account> account_ = std::make_shared<Account>(max_user_bytes);
    Client client_ = connect(account_);
};

TEST_F(ConnectionTest, TakesTurns) {
    send(client_, "abcdefghij");
    EXPECT_EQ(serve(client_), Need::turn);
    EXPECT_EQ(receive(client_), "abcd");
    EXPECT_EQ(serve(client_), Need::turn);
    EXPECT_EQ(serve(client_), Need::read);
    EXPECT_EQ(receive(client_), "efghij");
    EXPECT_EQ(traffic_.read_bytes, 10U);
    EXPECT_EQ(traffic_.written_bytes, 10U);
}

TEST_F(ConnectionTest, SwallowsWhatComesLater) {
    send(client_, "aS12");
    EXPECT_EQ(serve(client_), Need::read);
    send(client_, "345B");
    EXPECT_EQ(receive(client_), "aS");
    EXPECT_EQ(serve(client_), Need::write);
    EXPECT_EQ(receive(client_)[0], 'b');
}

TEST_F(ConnectionTest, GoesOnBehindWhatItSwallows) {
    send(client_, "S12345a");
    EXPECT_EQ(serve(client_), Need::turn);
    EXPECT_EQ(serve(client_), Need::read);
    EXPECT_EQ(receive(client_), "Sa");
}

TEST_F(ConnectionTest, GathersLargeRequests) {
    EXPECT_EQ(send_all(client_, std::string(200000, '2') + "a"), Need::read);
    EXPECT_EQ(receive(client_), "2a");
}

TEST_F(ConnectionTest, AClientThatDoesNotReadIsNotServed) {
    send(client_, "BBBBBB");
    EXPECT_EQ(serve(client_), Need::write);
    EXPECT_EQ(serve(client_), Need::write);
    std::string all;
    for (Need need = Need::write; need == Need::write || need == Need::turn; need = serve(client_))
        all += receive(client_);
    EXPECT_EQ(all.size() + receive(client_).size(), 6000000U);
}

TEST_F(ConnectionTest, LargeRequestsOfAUserWaitForEachOther) {
    Client other = connect(account_);
    EXPECT_EQ(send_all(client_, std::string(150000, '2')), Need::read);
    EXPECT_EQ(send_all(other, std::string(200000, '2')), Need::memory);
    EXPECT_TRUE(client_.connection->hoards());
    Client stranger = connect(std::make_shared<Account>(max_user_bytes));
    EXPECT_EQ(send_all(stranger, std::string(200000, '2')), Need::read);
    EXPECT_FALSE(stranger.connection->hoards());
    EXPECT_EQ(send_all(client_, std::string(50000, '2')), Need::read);
    EXPECT_EQ(serve(other), Need::read);
    EXPECT_FALSE(client_.connection->hoards());
}

TEST_F(ConnectionTest, AUsersFirstRequestMayBeLargerThanItsBound) {
    EXPECT_EQ(send_all(client_, std::string(900000, '9')), Need::read);
    EXPECT_EQ(receive(client_), "9");
}

TEST_F(ConnectionTest, EndsWithItsClient) {
    send(client_, "a");
    ::shutdown(client_.socket.get(), SHUT_WR);
    EXPECT_EQ(serve(client_), Need::read);
    EXPECT_EQ(receive(client_), "a");
    EXPECT_EQ(serve(client_), Need::close);
}

TEST_F(ConnectionTest, AClientThatSendsNoMoreGetsAllReplies) {
    send(client_, "B");
    ::shutdown(client_.socket.get(), SHUT_WR);
    std::size_t got = 0;
    for (Need need = serve(client_); need != Need::close; need = serve(client_)) {
        ASSERT_EQ(need, Need::write);
        got += receive(client_).size();
    }
    EXPECT_EQ(got + receive(client_).size(), 1000000U);
}

TEST_F(ConnectionTest, EndsWhenTheSessionSaysSo) {
    send(client_, "aQB");
    EXPECT_EQ(serve(client_), Need::close);
    EXPECT_EQ(receive(client_), "aQ");
}

std::string user_at_address(const char* text) {
    sockaddr_storage address{};
    const bool is_6 = std::string_view(text).find(':') != std::string_view::npos;
    address.ss_family = is_6 ? AF_INET6 : AF_INET;
    void* const place = is_6 ? static_cast<void*>(&reinterpret_cast<sockaddr_in6&>(address).sin6_addr)
                             : static_cast<void*>(&reinterpret_cast<sockaddr_in&>(address).sin_addr);
    EXPECT_EQ(::inet_pton(address.ss_family, text, place), 1);
    return user_at(address);
}

TEST(Accounts, NobodyHasMoreByManyAddresses) {
    for (const char* own : {"127.0.0.1", "127.200.3.4", "::1", "::ffff:127.0.0.9"})
        EXPECT_EQ(user_at_address(own), "this machine") << own;
    EXPECT_EQ(user_at_address("192.0.2.7"), "192.0.2.7");
    EXPECT_EQ(user_at_address("::ffff:192.0.2.7"), "192.0.2.7");
    EXPECT_EQ(user_at_address("2001:db8:1:2::3"), user_at_address("2001:db8:1:2:ffff::4"));
    EXPECT_NE(user_at_address("2001:db8:1:2::3"), user_at_address("2001:db8:1:3::3"));
}

TEST(Accounts, BoundConnectionsOfAUserAndInAll) {
    Accounts accounts({.max_connections = 4, .max_connections_per_user = 2, .max_bytes_per_user = 1}, "own");
    EXPECT_TRUE(accounts.join("a"));
    EXPECT_TRUE(accounts.join("a"));
    EXPECT_FALSE(accounts.join("a"));
    EXPECT_TRUE(accounts.join("own"));
    EXPECT_TRUE(accounts.join("own"));
    EXPECT_FALSE(accounts.join("b"));
    accounts.leave("a");
    EXPECT_TRUE(accounts.join("own"));
    EXPECT_EQ(accounts.connections(), 4U);
}

}  // namespace
}  // namespace tmm::caches
