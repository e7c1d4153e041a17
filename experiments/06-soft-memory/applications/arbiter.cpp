// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// soft-arbiter DIR TOTAL_MIB WAY [NAME=NUMBER]...: stands for tmmd, without root and cgroups. Once a second it takes the reports
// on the socket DIR/run/soft, divides TOTAL_MIB in a way of programs/dividers.hpp, and grants the parts; the server, the records
// and the coordinator are tmmd's own. WAY "parts" grants each process what it names in MiB, by its short name. WAY "weights" is
// tmmd's own division, with the weights of users by their numbers.
//
// Reads lines from stdin: "rebuilt PROCESS_ID SECONDS" (since its start), "total MIB", "lie PROCESS_ID FACTOR" (of its cost).
// If heaps have far more than the total, as after "total" with less, grants are urgent.
// Prints for each heap and second: grant SECOND PROCESS_ID NAME GRANTED_MIB USED_MIB BEST_MIB COST_US MISSES_PER_S. BEST is what
// the coordinator would give by this second's reports alone. Ends with stdin.
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../programs/dividers.hpp"
#include "tmmd/core/soft/division.hpp"
#include "tmmd/soft/soft_server.hpp"

namespace {

using namespace tmm;

constexpr std::uint64_t mib = 1 << 20;

// Takes the lines that come until a moment, or until one changes the total. Returns false at the end of stdin.
class Commands {
public:
    explicit Commands(Bytes total_bytes) : total(total_bytes) {}

    bool take_until(std::chrono::steady_clock::time_point end) {
        for (;;) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
            pollfd input{STDIN_FILENO, POLLIN, 0};
            if (left <= 0 || ::poll(&input, 1, static_cast<int>(left)) <= 0)
                return true;
            char buffer[4096];
            const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
            if (got <= 0)
                return false;
            text_.append(buffer, static_cast<std::size_t>(got));
            const Bytes before = total;
            for (std::size_t line_end; (line_end = text_.find('\n')) != std::string::npos; text_.erase(0, line_end + 1))
                take(text_.substr(0, line_end));
            if (total != before)
                return true;
        }
    }

    Bytes total;
    std::map<pid_t, double> rebuilt_s;
    std::map<pid_t, double> lies;

private:
    void take(const std::string& line) {
        std::istringstream words(line);
        std::string command;
        words >> command;
        pid_t process = 0;
        if (command == "total") {
            std::uint64_t wanted_mib = 0;
            words >> wanted_mib;
            total = Bytes(wanted_mib * mib);
        } else if (command == "rebuilt") {
            words >> process;
            words >> rebuilt_s[process];
        } else if (command == "lie") {
            words >> process;
            words >> lies[process];
        }
    }

    std::string text_;
};

using Numbers = std::map<std::string, std::uint64_t>;  // by name

Numbers numbers_of(int argc, char** argv) {
    Numbers numbers;
    for (int i = 4; i < argc; ++i) {
        const std::string argument = argv[i];
        const std::size_t equals = argument.find('=');
        numbers[argument.substr(0, equals)] = std::strtoull(argument.c_str() + equals + 1, nullptr, 10);
    }
    return numbers;
}

class WeighedDivider final : public soft_memory::Divider {
public:
    explicit WeighedDivider(const Numbers& weights) {
        std::map<uid_t, std::uint32_t> by_user;
        for (const auto& [user, weight] : weights)
            by_user[static_cast<uid_t>(std::strtoul(user.c_str(), nullptr, 10))] = static_cast<std::uint32_t>(weight);
        division_.set_user_weights(std::move(by_user));
    }
    std::vector<Bytes> divide(Bytes total, const std::vector<soft_memory::Seen>& seen) override {
        std::vector<core::SoftHeap> heaps;
        heaps.reserve(seen.size());
        for (const soft_memory::Seen& one : seen)
            heaps.push_back(one.report);
        std::vector<Bytes> parts;
        parts.reserve(seen.size());
        for (const core::SoftGrant& grant : division_.divide(total, heaps))
            parts.push_back(grant.bytes);
        return parts;
    }

private:
    core::SoftDivision division_;
};

std::vector<Bytes> best_parts(Bytes total, const std::vector<core::SoftHeap>& heaps) {
    std::vector<Bytes> parts;
    for (const core::SoftGrant& grant : core::SoftDivision().divide(total, heaps))
        parts.push_back(grant.bytes);
    return parts;
}

int run(tmm::soft::SoftServer& server, soft_memory::Divider* divider, const Numbers& named, Commands& commands) {
    const auto start = std::chrono::steady_clock::now();
    for (int second = 1;; ++second) {
        if (!commands.take_until(start + std::chrono::seconds(second)))
            return 0;
        const core::AwakeTime now{std::chrono::steady_clock::now().time_since_epoch()};
        server.serve(now);
        std::map<std::uint64_t, tmm::soft::SoftServer::Peer> peers;
        for (const auto& peer : server.peers())
            peers.emplace(peer.heap.id, peer);
        std::vector<core::SoftHeap> heaps = server.heaps(now);
        std::vector<soft_memory::Seen> seen;
        for (core::SoftHeap& heap : heaps) {
            const pid_t process = peers.at(heap.id).process;
            if (commands.lies.contains(process))
                heap.rebuild_s *= commands.lies[process];
            seen.push_back({heap, commands.rebuilt_s[process]});
        }
        std::vector<Bytes> parts;
        if (divider != nullptr) {
            parts = divider->divide(commands.total, seen);
        } else {
            for (const core::SoftHeap& heap : heaps) {
                const auto part = named.find(peers.at(heap.id).name);
                parts.emplace_back(part == named.end() ? 0 : part->second * mib);
            }
        }
        const std::vector<Bytes> best = best_parts(commands.total, heaps);
        std::vector<core::SoftGrant> grants;
        Bytes used{0};
        for (std::size_t i = 0; i < heaps.size(); ++i) {
            const core::SoftHeap& heap = heaps[i];
            grants.push_back({heap.id, parts[i]});
            used += heap.used;
            std::printf("grant %d %d %s %llu %llu %llu %.1f %.0f\n", second, static_cast<int>(peers.at(heap.id).process),
                        peers.at(heap.id).name.c_str(), static_cast<unsigned long long>(parts[i].count() / mib),
                        static_cast<unsigned long long>(heap.used.count() / mib),
                        static_cast<unsigned long long>(best[i].count() / mib), 1e6 * heap.rebuild_s,
                        heap.misses_per_s(heap.budget));
        }
        std::fflush(stdout);
        // As core/soft/soft_room, with a step's width for what a heap takes before it looks again.
        server.grant(grants, used > commands.total + commands.total / 8);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string way = argc > 3 ? argv[3] : "";
    auto divider = soft_memory::divider_named(way);
    const Numbers numbers = numbers_of(argc, argv);
    if (way == "weights")
        divider = std::make_unique<WeighedDivider>(numbers);
    if (argc < 4 || (!divider && way != "parts")) {
        std::fprintf(stderr, "usage: soft-arbiter DIR TOTAL_MIB WAY [NAME=NUMBER]...; WAY is parts, weights or one of:");
        for (const std::string_view name : soft_memory::divider_names())
            std::fprintf(stderr, " %s", name.data());
        std::fprintf(stderr, "\n");
        return 2;
    }
    const auto root = RootDir::open(argv[1]);
    auto server = root ? tmm::soft::SoftServer::open(*root, "run/soft") : Result<tmm::soft::SoftServer>(root.error());
    if (!server) {
        std::fprintf(stderr, "soft-arbiter: %s\n", server.error().message().c_str());
        return 1;
    }
    Commands commands(Bytes(std::strtoull(argv[2], nullptr, 10) * mib));
    return run(*server, divider.get(), numbers, commands);
}
