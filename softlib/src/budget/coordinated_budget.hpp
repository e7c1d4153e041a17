// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "softlib/budget.hpp"
#include "softlib/heap.hpp"
#include "src/budget/granted_budget.hpp"

namespace soft {

namespace detail {
class ReuseWatch;
}

/// Follows what tmmd grants the heap, and the machine as long as there is no grant. Tells tmmd once a second what the heap's
/// caches gain from memory. The process's own heap uses it.
///
/// Never waits for tmmd: a socket that is missing, full or closed means no grant.
class coordinated_budget final : public budget_source {
public:
    using clock = std::chrono::steady_clock;
    static constexpr const char* default_path = "/run/tmm/soft";
    /// Time between two attempts to reach tmmd.
    static constexpr std::chrono::seconds retry_after{10};
    /// Time between two reports.
    static constexpr std::chrono::seconds report_after{1};
    /// Without tmmd for so long, what is known of uses is forgotten. Until then a new tmmd learns it at once, and need not take
    /// memory from a heap of which it knows nothing.
    static constexpr std::chrono::seconds remembers_for{60};

    /// The path of the socket that the environment names (SOFTLIB_COORDINATOR), or the default one. Throws std::bad_alloc.
    static std::string path_of_environment();

    /// `heap`: the one that follows this; outlives it. `path`: of tmmd's socket; empty for none. `root`: the folder that contains
    /// proc; `now`: returns the present time; both for tests. Throws std::bad_alloc.
    coordinated_budget(soft::heap& heap, std::string path, std::string root = "/",
                       std::function<clock::time_point()> now = clock::now);
    ~coordinated_budget() override;
    coordinated_budget(const coordinated_budget&) = delete;
    coordinated_budget& operator=(const coordinated_budget&) = delete;

    std::size_t budget_bytes(std::size_t held_bytes) noexcept override;
    [[nodiscard]] std::chrono::milliseconds interval() const noexcept override { return machine_.interval(); }
    void forked() noexcept override;

private:
    void connect(clock::time_point now) noexcept;
    void disconnect() noexcept;
    void stop_watching() noexcept;
    bool send(const void* record, std::size_t bytes) noexcept;
    void take_grants(clock::time_point now) noexcept;
    void report(std::size_t budget_bytes, std::size_t held_bytes, clock::time_point now) noexcept;

    const soft::heap& heap_;
    detail::ReuseWatch& watch_;
    const std::string path_;
    const std::function<clock::time_point()> now_;
    machine_budget machine_;
    int socket_ = -1;
    bool is_watching_ = false;
    clock::time_point connected_at_{};  // last
    std::optional<clock::time_point> tried_at_;
    clock::time_point reported_at_{};
    std::uint64_t reports_ = 0;
    std::optional<detail::GrantedMemory> grant_;
    /// The last budget, if it was granted.
    std::optional<std::size_t> followed_;
};

}  // namespace soft
