// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/reporting/recorder.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>

#include "tmmd/trace/record.hpp"

namespace tmm::app {

Result<Recorder> Recorder::create(const std::string& path, trace::KeyHash hash) {
    UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!fd)
        return Error::from_errno(errno, path);
    Recorder recorder(std::move(fd), path, hash);
    auto written = recorder.write_text(std::string(trace::header) + "\n");
    if (!written)
        return std::move(written).error();
    return recorder;
}

Result<void> Recorder::append(const core::EpochSample& sample, core::AwakeTime now) {
    if (!start_)
        start_ = now;
    trace::Record record;
    record.t_us = static_cast<std::uint64_t>(std::max<std::int64_t>((now - *start_).count() / 1000, 0));
    std::string text;
    const auto add = [&](trace::RecordKind kind, core::PageKey page, std::uint32_t weight) {
        record.kind = kind;
        record.page = page;
        record.weight = std::clamp(weight, 1U, trace::max_weight);
        text += trace::format_record(record);
    };
    if (source_is_new_) {
        for (const auto& [page, weight] : known_)
            add(trace::RecordKind::evicted, page, weight);
        known_.clear();
        source_is_new_ = false;
    }
    for (const core::PageKey key : sample.gone) {
        const auto page = known_.find(hash_(key));
        if (page == known_.end())
            continue;
        add(trace::RecordKind::evicted, page->first, page->second);
        known_.erase(page);
    }
    for (const core::SampledPage& page : sample.referenced) {
        const core::PageKey key = hash_(page.key);
        known_[key] = page.weight;
        add(trace::RecordKind::referenced, key, page.weight);
    }
    return write_text(text);
}

Result<void> Recorder::write_text(const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t written = ::write(fd_.get(), text.data() + done, text.size() - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return Error::from_errno(errno, path_);
        done += static_cast<std::size_t>(written);
    }
    return {};
}

}  // namespace tmm::app
