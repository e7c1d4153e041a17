// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Replay: runs core/ over the records of a trace as tmmd runs it on a live machine. Each epoch, the sampled opaque pages that
// were referenced go into an EpochStack and into a step of the Tick. The histogram of the EpochStack becomes the curve of the
// whole trace. Its limit holds for the next epoch. Pages that the limit would have evicted are gone, and return to the policy as
// refaults, as the kernel reports them. A trace does not tell who is there: a busy epoch counts as a touch of the owner.
//
// Time is that of the trace. The sampled pages (with exact: all pages) and the changes of the limit bound memory. Pure; not
// thread-safe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tmmd/core/histogram/epoch_stack.hpp"
#include "tmmd/core/tick/tick.hpp"
#include "tmmd/replay/lru/miss_curve.hpp"
#include "tmmd/replay/owner_model.hpp"
#include "tmmd/replay/resident_pages.hpp"
#include "tmmd/trace/record.hpp"

namespace tmm::replay {

inline constexpr std::uint32_t max_shift = 13;         // weights of 2^18 pages stay below 2^32
inline constexpr std::size_t default_samples = 32768;  // maximum number of sampled pages unless a shift is given

struct Parameters {
    std::uint64_t epoch_us = 1'000'000;  // at least 1
    std::uint32_t sample_shift = 0;      // [0, max_shift]
    core::Pages memory{1};               // at least 1
    bool exact = false;
    core::PolicyParameters policy{};
};

// The limit from t_us on, in microseconds of the trace.
struct LimitChange {
    std::uint64_t t_us = 0;
    core::Pages opaque_pages{0};
    core::Reason reason;
};

// Accesses are counted in pages: a reference to a page of weight 512 counts 512.
struct Outcome {
    std::uint64_t records = 0;
    std::uint64_t references = 0;  // to opaque pages
    core::Pages pages{0};          // different opaque pages; estimated unless exact or not sampled
    std::uint64_t epochs = 0;
    core::Pages footprint{0};  // mean of the pages referenced in an epoch, over the epochs with any
    double active_s = 0;       // length of the epochs with more references than noise
    MissCurve curve;           // from reference bits
    core::Pages need{0};       // smallest memory with hardly more misses than with all, from the curve
    std::optional<MissCurve> exact_curve;
    core::Pages exact_need{0};
    CurveError error;  // of curve against exact_curve, at the sizes above footprint
    std::vector<LimitChange> limits;
    std::uint64_t misses_at_limit = 0;  // without first uses
    std::uint64_t misses_all_memory = 0;
    double achieved_beta = 1;
};

class Replay {
public:
    explicit Replay(const Parameters& parameters);

    // Adds a record; records come in the order of time.
    void add(const trace::Record& record) {
        ++outcome_.records;
        if (record.t_us >= epoch_end_us_)
            end_epochs_until(record.t_us);
        if (record.page_class == trace::PageClass::opaque)
            add_opaque(record);
    }

    // Ends the current epoch and returns the outcome; to be called after the last record.
    Outcome finish() &&;

private:
    void add_opaque(const trace::Record& record);
    void use(const trace::Record& record);
    void use_exactly(const trace::Record& record);
    void end_epochs_until(std::uint64_t t_us);
    void end_epoch();
    core::EpochSample take_sample();
    const core::Decision& step(core::EpochSample sample, core::Seconds active, std::uint64_t t_us);
    void note_limit(const core::Decision& decision);
    void measure_success();
    void make_room(core::Pages pages);
    [[nodiscard]] core::Pages need_of(const MissCurve& curve) const;
    [[nodiscard]] core::MemoryUsage usage() const;

    Parameters parameters_;
    core::Tick tick_;
    std::optional<std::uint64_t> used_us_;  // end of the last epoch with more references than noise
    core::EpochStack epoch_stack_;
    core::BackedHistogram positions_;  // of the whole trace, found by epoch_stack_
    double first_uses_ = 0;            // of sampled pages
    OwnerModel sampled_;
    ResidentPages resident_;
    std::optional<OwnerModel> all_;  // all pages; only if exact and not all are sampled
    Outcome outcome_;
    std::uint64_t epoch_end_us_;
    core::DecisionKind last_kind_ = core::DecisionKind::learning;
    core::Pages footprints_{0};  // sum over epochs
    std::uint64_t nr_used_epochs_ = 0;

    // The observations of the current epoch.
    std::vector<core::SampledPage> referenced_;
    std::vector<core::PageKey> gone_;  // evicted or freed by the trace
    std::vector<core::Refault> refaults_;
};

}  // namespace tmm::replay
