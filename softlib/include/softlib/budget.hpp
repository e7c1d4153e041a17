// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "softlib/detail/language.hpp"

namespace soft {

/// A heap whose budget is further below what it has drops the objects that were stored first, read lately or not (7 ms a GiB).
/// Otherwise it keeps those that were read lately, which takes 0.4 s a GiB.
inline constexpr std::size_t max_budget_step = std::size_t{256} << 20;

/// Decides how much memory a heap may take; see heap::follow(). One thread at a time calls it, without a lock: it may use the
/// heap and fork.
class budget_source {
public:
    virtual ~budget_source() = default;
    /// Returns the heap's budget, in bytes. `held_bytes`: the memory that the heap has now, in bytes. Does not throw.
    virtual std::size_t budget_bytes(std::size_t held_bytes) noexcept = 0;
    /// The time until the heap asks again.
    [[nodiscard]] virtual std::chrono::milliseconds interval() const noexcept = 0;
    /// For a source with descriptors or threads: this is the child of a fork(), where they are the parent's. May not use the
    /// heap, nor allocate.
    virtual void forked() noexcept {}
};

/// The machine's memory at one moment. Numbers that the system does not give stay 0: a kernel may lack PSI, a container
/// /proc/zoneinfo.
struct memory_reading {
    /// Memory of the machine, in bytes.
    std::size_t total_bytes = 0;
    /// Unused memory, in bytes; page cache counts as used.
    std::size_t free_bytes = 0;
    /// Memory that the kernel keeps free for itself, in bytes: with less it evicts. Up to a tenth of a small machine with huge
    /// pages.
    std::size_t kept_bytes = 0;
    /// Pages that the kernel evicted since boot because the machine lacked free memory (pgsteal_kswapd, pgsteal_direct). Pages of
    /// a cgroup at its own limit are not among them.
    std::uint64_t reclaimed = 0;
    /// Refaults of file pages since boot (workingset_refault_file), also those of a cgroup at its own limit.
    std::uint64_t refaults = 0;
    /// Time since boot in which some task waited for memory (PSI), also at the limit of its own cgroup.
    std::chrono::microseconds stalled{0};
    /// Since the reading before, somebody reported pressure to this program (MEMORY_PRESSURE_WATCH).
    bool was_told = false;
};

/// Parameters of a budget_rule. Shares are in [0, 1].
struct budget_rule_options {
    /// Share of the machine's memory that stays free, besides what the kernel keeps.
    double reserve = 0.05;
    /// The heap grows again only after nobody has missed memory for this long.
    std::chrono::milliseconds calm{10'000};
    /// Each step grows the heap by at most this share of the free memory beyond the reserve.
    double growth = 0.25;
    /// When others have lacked memory, or somebody reported it, the heap gives back this share of its memory.
    double retreat = 0.25;
    /// More refaults a second than this count as others missing memory, while the kernel reclaims more pages a second than this;
    /// 0 or more.
    double refaults_per_s = 50;
    /// So does a larger share of time stalled than this, while the kernel reclaims as above.
    double stalled_share = 0.01;
};

/// The rule of machine_budget, without the machine: from readings to budgets.
///
/// It takes memory that nobody uses, minus a reserve that others can grow into before the kernel begins to reclaim. When others
/// do grow, it backs off at once. It does not wait for the kernel: lazy-free pages age with the page cache, so by then the heap
/// has displaced other programs' files.
///
/// Refaults and stalls of others count only while the kernel reclaims memory of the whole machine: a cgroup at its own limit has
/// both, however much memory is free.
///
/// For one thread at a time. Allocates nothing; step() throws nothing.
class budget_rule {
public:
    /// A rule with the default options.
    budget_rule() : budget_rule(budget_rule_options{}) {}
    /// A rule that has no reading yet. Throws std::invalid_argument if a share is not in [0, 1] or refaults_per_s is below 0.
    explicit budget_rule(const budget_rule_options& options);

    /// Returns the budget from `now` on, in bytes. `held_bytes`: the memory that the heap has now, in bytes. `now` never goes
    /// back.
    std::size_t step(const memory_reading& reading, std::size_t held_bytes, std::chrono::steady_clock::time_point now);
    /// Whether less than four times the reserve is free. A program may take so much in less than a second, so poll often.
    [[nodiscard]] bool is_close_to_reserve(const memory_reading& reading) const;
    /// The heap had another budget than this rule's lately, and goes on from there. `budget_bytes`: that one, in bytes.
    void adopt(std::size_t budget_bytes) { budget_ = budget_bytes; }
    /// Whether the last step gave memory back to others, or did not grow again since others missed memory.
    [[nodiscard]] bool gives_way() const { return gives_way_; }

private:
    [[nodiscard]] std::size_t reserve_of(const memory_reading& reading) const;
    [[nodiscard]] bool others_miss_memory(const memory_reading& reading, std::chrono::steady_clock::time_point now) const;

    budget_rule_options options_;
    struct Last {
        memory_reading reading;
        std::chrono::steady_clock::time_point at;
    };
    std::optional<Last> last_;
    std::optional<std::chrono::steady_clock::time_point> missed_at_;
    std::size_t budget_ = 0;
    bool gives_way_ = false;
};

namespace detail {
class PressureWatch;
}

/// Follows the machine's free memory, and reports of pressure by systemd's protocol (MEMORY_PRESSURE_WATCH,
/// MEMORY_PRESSURE_WRITE). The process's own heap uses it.
class machine_budget final : public budget_source {
public:
    /// `root`: the folder that contains proc; for tests. Throws std::bad_alloc, or std::invalid_argument like budget_rule.
    explicit machine_budget(const budget_rule_options& options = {}, std::string root = "/");
    ~machine_budget() override;

    /// Reads /proc and returns the budget, in bytes. Without a readable /proc/meminfo, or without memory to read it into, that of
    /// the last reading; 0 if there was none.
    std::size_t budget_bytes(std::size_t held_bytes) noexcept override;
    /// A quarter of a second while memory is short, otherwise a second.
    [[nodiscard]] std::chrono::milliseconds interval() const noexcept override {
        return std::chrono::milliseconds(close_to_reserve_ ? 250 : 1000);
    }
    void forked() noexcept override;
    /// As budget_rule::adopt().
    void adopt(std::size_t budget_bytes) {
        budget_ = budget_bytes;
        rule_.adopt(budget_bytes);
    }
    /// As budget_rule::gives_way().
    [[nodiscard]] bool gives_way() const { return rule_.gives_way(); }

private:
    budget_rule rule_;
    std::string root_;
    bool close_to_reserve_ = true;
    std::size_t kept_bytes_ = 0;
    std::size_t budget_ = 0;
    unsigned asked_ = 0;
    std::unique_ptr<detail::PressureWatch> pressure_;
};

/// A budget that never changes. Thread-safe.
class fixed_budget final : public budget_source {
public:
    /// `bytes`: the budget, in bytes.
    explicit fixed_budget(std::size_t bytes) : bytes_(bytes) {}
    std::size_t budget_bytes(std::size_t /*held_bytes*/) noexcept override { return bytes_; }
    [[nodiscard]] std::chrono::milliseconds interval() const noexcept override { return std::chrono::hours(1); }

private:
    std::size_t bytes_;
};

}  // namespace soft
