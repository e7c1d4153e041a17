// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/reply.hpp"

#include <cerrno>
#include <string>

namespace tmm::bus {

const char* error_name(const Error& error) {
    switch (error.code()) {
        case EINVAL:
            return "InvalidArgument";
        case EPERM:
            return "NotAuthorized";
        case EUSERS:
            return "TooMany";
        case ENXIO:
            return "NotTransparent";
        case ENOENT:
        case ESRCH:
            return "Vanished";
        default:
            return "Failed";
    }
}

sdbus::Error bus_error(const Error& error) {
    return wire::compat::make_error(std::string("org.transparentmemory.Tmm1.Error.") + error_name(error), error.message());
}

}  // namespace tmm::bus
