// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace soft {

/// How much memory a heap may take, asked again and again (heap::follow). Called by one thread at a time.
class budget_source {
public:
    virtual ~budget_source() = default;
    /// held_bytes: what the heap has now. Returns what it may have, in bytes. Does not throw.
    virtual std::size_t budget_bytes(std::size_t held_bytes) noexcept = 0;
    /// When to ask again.
    [[nodiscard]] virtual std::chrono::milliseconds interval() const noexcept = 0;
};

/// What a machine's memory looks like at one moment. A kernel may be without PSI, a container without /proc/zoneinfo: such
/// numbers stay 0.
struct memory_reading {
    /// Of the machine.
    std::size_t total_bytes = 0;
    /// Used by nobody, not even as cache.
    std::size_t free_bytes = 0;
    /// What the kernel keeps free for itself: with less it evicts. Up to a tenth of a small machine with huge pages.
    std::size_t kept_bytes = 0;
    /// File pages that were read again soon after they had been evicted (workingset_refault_file), since boot.
    std::uint64_t refaults = 0;
    /// In which some task waited for memory (PSI), since boot.
    std::chrono::microseconds stalled{0};
};

/// What the rule goes by. Shares are in [0, 1].
struct budget_rule_options {
    /// Of the machine's memory that stays free beside what the kernel keeps, as a share.
    double reserve = 0.05;
    /// The heap grows again only after nobody has missed memory for that long...
    std::chrono::milliseconds calm{10'000};
    /// ...and by at most this share of what is free beyond the reserve, each time.
    double growth = 0.25;
    /// What is given back when others have missed memory, as a share of what the heap has.
    double retreat = 0.25;
    /// Refaults a second that count as others missing memory; 0 or more.
    double refaults_per_s = 50;
    /// Share of time stalled that does so, too.
    double stalled_share = 0.01;
};

/// The rule of machine_budget, without the machine. Takes what nobody uses, but for a reserve that others can grow into before
/// the kernel begins to reclaim; backs off at once when they do. Lazy-free pages age with the page cache, so a heap that waits
/// for the kernel to take them has displaced other programs' files already.
///
/// For one thread at a time. Allocates nothing and throws nothing.
class budget_rule {
public:
    /// With the default options.
    budget_rule() : budget_rule(budget_rule_options{}) {}
    /// Knows nothing of the machine yet. Throws std::invalid_argument for what is no share.
    explicit budget_rule(const budget_rule_options& options);

    /// The budget from `now` on, in bytes. Time never goes back.
    std::size_t step(const memory_reading& reading, std::size_t held_bytes, std::chrono::steady_clock::time_point now);
    /// Less than four times the reserve is free, which a program may take in less than a second: worth looking often.
    [[nodiscard]] bool is_close_to_reserve(const memory_reading& reading) const;

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
};

/// Follows the machine's free memory. What a heap uses that is not told otherwise.
class machine_budget final : public budget_source {
public:
    /// root: where /proc is; for tests. Throws std::bad_alloc, and std::invalid_argument as the rule does.
    explicit machine_budget(const budget_rule_options& options = {}, std::string root = "/")
        : rule_(options), root_(std::move(root)) {}

    /// Reads /proc. Without readable /proc/meminfo, or memory to read it into, the heap gets nothing.
    std::size_t budget_bytes(std::size_t held_bytes) noexcept override;
    /// A quarter of a second while memory is short, otherwise a second.
    [[nodiscard]] std::chrono::milliseconds interval() const noexcept override {
        return std::chrono::milliseconds(close_to_reserve_ ? 250 : 1000);
    }

private:
    budget_rule rule_;
    std::string root_;
    bool close_to_reserve_ = true;
    std::size_t kept_bytes_ = 0;
    unsigned asked_ = 0;
};

/// Always the same. Thread-safe.
class fixed_budget final : public budget_source {
public:
    /// bytes: what the heap may have.
    explicit fixed_budget(std::size_t bytes) : bytes_(bytes) {}
    std::size_t budget_bytes(std::size_t /*held_bytes*/) noexcept override { return bytes_; }
    [[nodiscard]] std::chrono::milliseconds interval() const noexcept override { return std::chrono::hours(1); }

private:
    std::size_t bytes_;
};

}  // namespace soft
