// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the sessions of all protocols share: they carry out one request of the input after the other, until the turn or the input
// ends.
#pragma once

#include <cstddef>
#include <string_view>

#include "caches/memcache/parsed.hpp"
#include "caches/net/session.hpp"

namespace tmm::caches {

// parse(input): returns a memcache::Parsed. carry_out(parsed, progress): is called unless it is incomplete. It sets
// progress.closes to end the connection, and returns false if the request is not done with: then it comes again in the next turn.
template <class Parse, class CarryOut>
Progress for_each_request(std::string_view input, const Output& output, const Turn& turn, Parse&& parse, CarryOut&& carry_out) {
    Progress progress;
    for (std::size_t requests = 0; progress.used < input.size(); ++requests) {
        if (requests == turn.max_requests || output.bytes() > turn.max_output_bytes) {
            progress.again = true;
            break;
        }
        const auto parsed = parse(input.substr(progress.used));
        if (parsed.step == memcache::Step::incomplete) {
            progress.wanted = parsed.wanted;
            break;
        }
        if (!carry_out(parsed, progress)) {
            progress.again = !progress.closes;
            break;
        }
        progress.used += parsed.used;
        progress.swallow_bytes = parsed.swallow_bytes;
        if (parsed.swallow_bytes > 0 || progress.closes)
            break;
    }
    return progress;
}

}  // namespace tmm::caches
