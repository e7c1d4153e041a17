// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/random.h>
#include <time.h>

#include <cerrno>

#include "tmmd/app/adapters.hpp"
#include "tmmd/os/counters/memory_info.hpp"
#include "tmmd/os/stock/cgroup_limits.hpp"
#include "tmmd/os/stock/idle_page_scanner.hpp"
#include "tmmd/os/stock/no_samples.hpp"
#include "tmmd/os/stock/protected_classes.hpp"
#include "tmmd/os/tmm/tmm_device.hpp"
#include "tmmd/os/tmm/frame_sample_source.hpp"

namespace tmm::app {

namespace {

// Programs that want to hide from the sample must not be able to guess the sampled page of each block.
Result<std::uint64_t> random_seed() {
    std::uint64_t seed = 0;
    if (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed))
        return Error::from_errno(errno, "getrandom");
    return seed;
}

core::Seconds own_cpu_time() {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

// Returns whether the running kernel lacks TMM.
bool is_stock(const RootDir& root) {
    return !root.exists("sys/kernel/mm/tmm") && !root.exists("dev/tmm");
}

template <typename Scanner>
Result<std::unique_ptr<os::FrameScanner>> open_as(const RootDir& root) {
    auto scanner = Scanner::open(root);
    if (!scanner)
        return std::move(scanner).error();
    return std::unique_ptr<os::FrameScanner>(std::make_unique<Scanner>(*std::move(scanner)));
}

// Returns the best scanner that the kernel offers, or nothing.
Result<std::unique_ptr<os::FrameScanner>> open_scanner(const RootDir& root) {
    if (!is_stock(root))
        return open_as<os::TmmDevice>(root);
    auto scanner = open_as<os::IdlePageScanner>(root);
    if (!scanner && scanner.error().code() == ENODEV)
        return std::unique_ptr<os::FrameScanner>();
    return scanner;
}

}  // namespace

AdapterFactory kernel_adapters(const RootDir& root) {
    AdapterFactory factory;
    factory.open_source = [&root](const config::Config& config) -> Result<std::unique_ptr<os::SampleSource>> {
        auto scanner = open_scanner(root);
        if (!scanner)
            return std::move(scanner).error();
        if (*scanner == nullptr)
            return std::unique_ptr<os::SampleSource>(std::make_unique<os::NoSamples>());
        const auto installed = os::read_installed_pages(root);
        if (!installed)
            return installed.error();
        const auto seed = random_seed();
        if (!seed)
            return seed.error();
        const std::uint32_t shift = config.sample_shift.value_or(os::sample_shift_for(*installed));
        return std::unique_ptr<os::SampleSource>(std::make_unique<os::FrameSampleSource>(*std::move(scanner), shift, *seed));
    };
    factory.open_sink = [&root]() -> Result<std::unique_ptr<os::LimitSink>> {
        if (is_stock(root)) {
            auto limits = os::CgroupLimits::open(root);
            if (!limits)
                return std::move(limits).error().with_context("the running kernel has no TMM");
            return std::unique_ptr<os::LimitSink>(std::make_unique<os::CgroupLimits>(*std::move(limits)));
        }
        auto limits = os::ProtectedClasses::open(root);
        if (!limits)
            return std::move(limits).error();
        return std::unique_ptr<os::LimitSink>(std::make_unique<os::ProtectedClasses>(*std::move(limits)));
    };
    factory.make_evictor = [&root] { return std::make_unique<os::ReclaimingEvictor>(root); };
    factory.own_cpu_time = own_cpu_time;
    return factory;
}

}  // namespace tmm::app
