// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reply: the answer to a method call that may be given later, by whoever holds a copy. Given once; it never throws, since a
// caller that has left, or a bus that is gone, is nothing to act upon. For the sources of bus/ only.
#pragma once

#include <memory>
#include <utility>

#include "base/result.hpp"
#include "tmmd/wire/sdbus_compat.hpp"

namespace tmm::bus {

// The name on the bus for an error of the model: see model.hpp.
const char* error_name(const Error& error);

// An error that EPERM stands for is a refusal: NotAuthorized.
sdbus::Error bus_error(const Error& error);

template <typename... Values>
class Reply {
public:
    explicit Reply(sdbus::Result<Values...>&& result) : result_(std::make_shared<sdbus::Result<Values...>>(std::move(result))) {}

    void give(const Values&... values) const {
        try {
            result_->returnResults(values...);
        } catch (const sdbus::Error&) {
            // The bus is gone: service.cpp sees it when it reads.
        }
    }
    void fail(const Error& error) const {
        try {
            result_->returnError(bus_error(error));
        } catch (const sdbus::Error&) {
            // as above
        }
    }
    void give_result(const tmm::Result<void>& done) const requires(sizeof...(Values) == 0) { done ? give() : fail(done.error()); }

private:
    std::shared_ptr<sdbus::Result<Values...>> result_;
};

}  // namespace tmm::bus
