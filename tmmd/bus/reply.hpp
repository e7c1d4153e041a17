// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reply: answers a method call, now or later. Copies share one answer, which one of them gives once. It never throws: nothing
// needs to be done if the caller has left or the bus is lost. For the sources of bus/ only.
#pragma once

#include <memory>
#include <utility>

#include "base/result.hpp"
#include "tmmd/wire/sdbus_compat.hpp"

namespace tmm::bus {

// Returns the last part of the name on the bus for an error of the model; see model.hpp.
const char* error_name(const Error& error);

// Returns the error to send, with the message of error.
sdbus::Error bus_error(const Error& error);

template <typename... Values>
class Reply {
public:
    explicit Reply(sdbus::Result<Values...>&& result) : result_(std::make_shared<sdbus::Result<Values...>>(std::move(result))) {}

    void give(const Values&... values) const {
        try {
            result_->returnResults(values...);
        } catch (const sdbus::Error&) {
            // The bus is lost: service.cpp finds that when it reads.
        }
    }
    void fail(const Error& error) const {
        try {
            result_->returnError(bus_error(error));
        } catch (const sdbus::Error&) {
            // As above.
        }
    }
    void give_result(const tmm::Result<void>& done) const requires(sizeof...(Values) == 0) { done ? give() : fail(done.error()); }

private:
    std::shared_ptr<sdbus::Result<Values...>> result_;
};

}  // namespace tmm::bus
