// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PagerClient: asks the pager, and starts it if there is none.
#pragma once

#include <string>

#include "base/messages/message_socket.hpp"
#include "base/result.hpp"

namespace tmm::far {

// Where this user's pager listens: a folder that nobody else can enter. Error: it cannot be made, or is another user's.
Result<std::string> default_socket();

class PagerClient {
public:
    // Error: ECONNREFUSED or ENOENT, no pager listens.
    static Result<PagerClient> connect(const std::string& path);
    // program: tmm-fard, started if none listens. It ends after its last program.
    static Result<PagerClient> connect_or_start(const std::string& path, const std::string& program);

    // Returns the answer without its "ok". Error: the pager's reason.
    [[nodiscard]] Result<std::string> ask(const std::string& command) const;

private:
    explicit PagerClient(MessageSocket socket) : socket_(std::move(socket)) {}

    MessageSocket socket_;
};

}  // namespace tmm::far
