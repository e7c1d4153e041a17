// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Both ends of SwapReader: the helper process and the one of tmmd.
#include <time.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <utility>

#include "tmmd/os/page_size.hpp"
#include "tmmd/os/read_back/page_adviser.hpp"
#include "tmmd/os/read_back/read_back_worker.hpp"
#include "tmmd/os/read_back/swap_reader.hpp"

namespace tmm::os {

namespace {

constexpr const char* helper_name = "tmmd-read-back";

// Between two looks at the disk, while an order is under way.
constexpr std::chrono::milliseconds turn{10};

core::AwakeTime awake_now() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return core::AwakeTime(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

void help(int socket, const RootDir& root) {
    KernelPageAdviser adviser;
    serve_orders(socket, root, adviser);
}

}  // namespace

void serve_orders(int socket, const RootDir& root, PageAdviser& adviser) {
    ReadBackWorker worker(root, adviser, page_bytes());
    std::uint64_t number = 0;  // of the order under way
    for (;;) {
        const auto message = receive_message(socket, worker.busy() ? turn : no_end);
        if (!message)
            return;
        if (*message) {
            const auto order = parse_order(**message);
            if (!order)
                return;
            number = order->number;
            order->shares.empty() ? worker.stop() : worker.begin(order->shares, awake_now());
        }
        if (!worker.busy())
            continue;
        worker.turn(awake_now());
        if (worker.busy())
            continue;
        const ReadBackReport report{number, worker.read(), worker.problem() ? worker.problem()->message() : ""};
        if (!send_message(socket, text_of(report)))
            return;
    }
}

HelperProcess::Work HelpedSwapReader::work() {
    return {.name = helper_name, .capabilities = capability(CAP_SYS_PTRACE) | capability(CAP_SYS_NICE), .serve = help};
}

Result<std::unique_ptr<HelpedSwapReader>> HelpedSwapReader::begin_with(KeptHelper::Start start) {
    auto process = KeptHelper::begin(helper_name, std::move(start));
    if (!process)
        return std::move(process).error();
    return std::make_unique<HelpedSwapReader>(*std::move(process));
}

// A helper that waits for the disk reads later. It does not keep tmmd waiting.
Result<void> HelpedSwapReader::begin(const std::vector<core::ReadBackShare>& shares) {
    auto sent = process_.replace_if_ended();
    if (sent)
        sent = process_.send(text_of(ReadBackOrder{++number_, shares}));
    if (!sent)
        return std::move(sent).error().with_context("reading memory back");
    return {};
}

void HelpedSwapReader::stop() {
    // A helper that has gone has stopped, too.
    static_cast<void>(process_.send(text_of(ReadBackOrder{++number_, {}})));
}

std::optional<SwapReader::Report> HelpedSwapReader::take_report() {
    if (!process_.runs())
        return std::nullopt;
    const auto message = process_.receive(no_wait);
    if (!message)
        return Report{core::Pages(0), "reading memory back: " + message.error().message()};
    if (!*message)
        return std::nullopt;
    const auto report = parse_report(**message);
    if (!report || report->number != number_)
        return std::nullopt;
    return Report{report->read, report->problem};
}

}  // namespace tmm::os
