// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// shake_hands(): meets a hand (preload/protocol.hpp), from its hello on, and gives it to its program.
#pragma once

#include "base/log/log.hpp"
#include "farmem/pager/device.hpp"
#include "farmem/pager/program_thread.hpp"
#include "farmem/preload/protocol.hpp"

namespace tmm::far {

// Waits for the hand, and for the program, which may wait for its store. socket, process: of the hand.
void shake_hands(UniqueFd socket, UniqueFd process, const HandMessage& hello, ProgramThread& program, const Device& device,
                 const Log& log);

}  // namespace tmm::far
