// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/random.h>
#include <time.h>

#include <cerrno>

#include "tmmd/app/adapters.hpp"
#include "tmmd/os/counters/memory_info.hpp"
#include "tmmd/os/tmm/sysfs_limits.hpp"
#include "tmmd/os/tmm/tmm_device.hpp"
#include "tmmd/os/tmm/tmm_sample_source.hpp"

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

}  // namespace

AdapterFactory kernel_adapters(const RootDir& root) {
    AdapterFactory factory;
    factory.open_source = [&root](const config::Config& config) -> Result<std::unique_ptr<os::SampleSource>> {
        auto device = os::TmmDevice::open(root);
        if (!device)
            return std::move(device).error();
        const auto installed = os::read_installed_pages(root);
        if (!installed)
            return installed.error();
        const auto seed = random_seed();
        if (!seed)
            return seed.error();
        const std::uint32_t shift = config.sample_shift.value_or(os::sample_shift_for(*installed));
        return std::unique_ptr<os::SampleSource>(
            std::make_unique<os::TmmSampleSource>(std::make_unique<os::TmmDevice>(*std::move(device)), shift, *seed));
    };
    factory.open_sink = [&root]() -> Result<std::unique_ptr<os::LimitSink>> {
        auto limits = os::SysfsLimits::open(root);
        if (!limits)
            return std::move(limits).error();
        return std::unique_ptr<os::LimitSink>(std::make_unique<os::SysfsLimits>(*std::move(limits)));
    };
    factory.make_evictor = [&root] { return std::make_unique<os::ReclaimingEvictor>(root); };
    factory.own_cpu_time = own_cpu_time;
    return factory;
}

}  // namespace tmm::app
