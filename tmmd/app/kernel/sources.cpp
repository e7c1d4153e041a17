// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/kernel/sources.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include "tmmd/core/policy/epoch_pace.hpp"
#include "tmmd/os/cgroup/page_cgroups.hpp"
#include "tmmd/os/limits/cgroup_protector.hpp"
#include "tmmd/os/reading/counters/memory_info.hpp"
#include "tmmd/os/sources/counts/footprint_source.hpp"
#include "tmmd/os/sources/counts/footprints.hpp"
#include "tmmd/os/sources/counts/generation_sorter.hpp"
#include "tmmd/os/sources/counts/generation_source.hpp"
#include "tmmd/os/sources/counts/lru_gen_file.hpp"
#include "tmmd/os/sources/files/unmapped_files_source.hpp"
#include "tmmd/os/sources/frames/frame_sample_source.hpp"
#include "tmmd/os/sources/frames/idle_page_scanner.hpp"
#include "tmmd/os/sources/frames/tmm_device.hpp"
#include "tmmd/os/sources/no_samples.hpp"
#include "tmmd/os/sources/switching_source.hpp"

namespace tmm::app {

namespace {

using OpenedSource = Result<std::unique_ptr<os::SampleSource>>;

// The arguments of each source's function that opens it.
struct Request {
    const RootDir& root;
    const config::Config& config;
    const SourceTools& tools;
};

// Programs that want to hide from the sample must not be able to guess the sampled page of each block.
Result<std::uint64_t> random_seed() {
    std::uint64_t seed = 0;
    if (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed))
        return Error::from_errno(errno, "getrandom");
    return seed;
}

// Returns nothing if the kernel cannot be asked to sort pages.
std::unique_ptr<os::PageSorter> open_sorter(const RootDir& root) {
    auto file = os::LruGenFile::open(root);
    return file ? std::make_unique<os::GenerationSorter>(root, std::make_unique<os::LruGenFile>(*std::move(file))) : nullptr;
}

core::AgeingPace pace_of_counts() {
    const core::PaceParameters pace;
    return {pace.cpu_learning, pace.cpu_active};
}

template <typename Scanner>
OpenedSource open_frames(const Request& request) {
    auto scanner = Scanner::open(request.root);
    if (!scanner)
        return std::move(scanner).error();
    const auto installed = os::read_installed_pages(request.root);
    if (!installed)
        return installed.error();
    const auto seed = random_seed();
    if (!seed)
        return seed.error();
    const std::uint32_t shift = request.config.sample_shift.value_or(os::sample_shift_for(*installed));
    // A need for each cgroup helps only if the kernel can be told of it.
    auto cgroups = os::PageCgroups::open(request.root);
    const bool can_protect = os::CgroupProtector::open(request.root).has_value();
    const bool has_all_files = !scanner->leaves_out_unmapped_files();
    auto frames =
        std::make_unique<os::FrameSampleSource>(std::make_unique<Scanner>(*std::move(scanner)), shift, *seed,
                                                cgroups && can_protect ? std::optional(*std::move(cgroups)) : std::nullopt,
                                                [&root = request.root] { return open_sorter(root); });
    if (has_all_files)
        return std::unique_ptr<os::SampleSource>(std::move(frames));
    return std::unique_ptr<os::SampleSource>(std::make_unique<os::UnmappedFilesSource>(
        std::move(frames), os::KnownFiles(request.tools.open_files(os::FileKinds::unmapped), request.tools.own_cpu_time),
        *installed, pace_of_counts()));
}

// Makes a source of counts.
template <typename Source, typename Kernel, typename... More>
OpenedSource make_counts(const Request& request, std::unique_ptr<Kernel> kernel, More... more) {
    const auto installed = os::read_installed_pages(request.root);
    if (!installed)
        return installed.error();
    return std::unique_ptr<os::SampleSource>(
        std::make_unique<Source>(request.root, std::move(kernel), *installed, pace_of_counts(), std::move(more)...));
}

OpenedSource open_generations(const Request& request) {
    auto file = os::LruGenFile::open(request.root);
    if (!file)
        return std::move(file).error();
    return make_counts<os::GenerationSource>(request, std::make_unique<os::LruGenFile>(*std::move(file)),
                                             request.tools.own_cpu_time,
                                             request.tools.open_files(os::FileKinds::open_and_mapped));
}

OpenedSource open_footprints(const Request& request) {
    auto footprints = request.tools.open_footprints();
    if (!footprints)
        return std::move(footprints).error();
    return make_counts<os::FootprintSource>(request, *std::move(footprints));
}

OpenedSource open_nothing(const Request&) {
    return std::unique_ptr<os::SampleSource>(std::make_unique<os::NoSamples>());
}

struct KnownSource {
    std::string_view id;
    std::string_view name;
    std::string_view cost;
    std::string_view accuracy;
    bool has_helper;  // for footprints and open files
    OpenedSource (*open)(const Request&);
};

// Best first. docs/policy.md, "Sources", has the measurements.
constexpr std::array<KnownSource, 5> known_sources{{
    {"tmm", "/dev/tmm, the scanner of the TMM patches",
     "a scan of at most 65,536 pages every 1 to 10 s in use, within 0.2 % of a processor",
     "knows each sampled page and its class; the order of pages is known to an epoch", false, open_frames<os::TmmDevice>},
    {"idle", "the idle page bitmap", "as tmm, but with several system calls for each page, so with fewer pages or longer epochs",
     "as tmm, but a page that both classes use belongs to the class that used it first; with the multi-gen LRU, a file that is "
     "only read with read(2) counts as unused, unless a program holds it open",
     true, open_frames<os::IdlePageScanner>},
    {"mglru", "the generations of the multi-gen LRU, through debugfs",
     "a walk of all page tables of opaque programs every 10 s to 5 min in use, within 0.2 % of a processor while a walk takes "
     "0.6 s at most",
     "estimates the order of pages that were unused for two walks; a page that only other cgroups use counts as unused, and so "
     "does a file that is only read with read(2), unless a program holds it open",
     true, open_generations},
    {"footprint", "the growth of opaque programs' footprints after their reference bits were cleared, through /proc",
     "a walk of all page tables of opaque programs every 10 s to 5 min in use, within 0.2 % of a processor up to some 12 GiB in "
     "use; every second walk "
     "holds up the page faults of a program, some 25 ms for each GiB that it has",
     "as mglru, but a change is known an epoch late; files and anonymous memory of a program count as used in the same share",
     true, open_footprints},
    {"none", "no samples", "nothing", "opaque programs keep all that they have", false, open_nothing},
}};

// The sources among which tmmd may choose.
std::vector<KnownSource> candidates(const RootDir& root, std::string_view wanted) {
    std::vector<KnownSource> sources;
    std::copy_if(known_sources.begin(), known_sources.end(), std::back_inserter(sources), [&](const KnownSource& source) {
        if (!wanted.empty())
            return source.id == wanted;
        return (source.id == "tmm") != is_stock(root);
    });
    return sources;
}

}  // namespace

std::vector<std::string_view> source_ids() {
    std::vector<std::string_view> ids(known_sources.size());
    std::transform(known_sources.begin(), known_sources.end(), ids.begin(), [](const KnownSource& source) { return source.id; });
    return ids;
}

bool is_stock(const RootDir& root) {
    return !root.exists("sys/kernel/mm/tmm") && !root.exists("dev/tmm");
}

bool may_need_helper(const RootDir& root, std::string_view wanted) {
    return std::ranges::any_of(candidates(root, wanted), &KnownSource::has_helper);
}

Result<std::unique_ptr<os::SampleSource>> open_best_source(const RootDir& root, const config::Config& config,
                                                           std::string_view wanted, const SourceTools& tools) {
    std::vector<os::SwitchingSource::Open> best_first;
    for (const KnownSource& source : candidates(root, wanted))
        best_first.emplace_back([&root, config, tools, open = source.open] { return open({root, config, tools}); });
    return os::SwitchingSource::open(std::move(best_first));
}

std::string describe_sources(const RootDir& root, const config::Config& config, std::string_view wanted,
                             const SourceTools& tools) {
    std::string text;
    bool is_chosen = false;
    const auto allowed = candidates(root, wanted);
    for (const KnownSource& source : known_sources) {
        const auto opened = source.open({root, config, tools});
        // Some can be open once only.
        const bool in_use = !opened && opened.error().code() == EBUSY;
        const bool chosen =
            (opened || in_use) && !is_chosen && std::ranges::find(allowed, source.id, &KnownSource::id) != allowed.end();
        is_chosen = is_chosen || chosen;
        text += std::string(source.id) + ": " + std::string(source.name) + "\n  state:    " +
                (in_use   ? "in use by the tmmd that runs"
                 : chosen ? "chosen"
                 : opened ? "available"
                          : "not available: " + opened.error().message()) +
                "\n  cost:     " + std::string(source.cost) + "\n  accuracy: " + std::string(source.accuracy) + "\n";
    }
    return text + (is_chosen ? "" : "None of the sources that tmmd may use here is available.\n");
}

}  // namespace tmm::app
