// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// open_store(): makes a store from the words of a user.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "farmem/stores/store.hpp"

namespace tmm::far {

// spec: parts with ','. Each is
//     memory               this machine's memory
//     file=FOLDER          a file in the folder
//     memcached=SERVER     HOST:PORT or a path; several are several servers of one store
//     quota=SIZE           of the file, or of memory
// memcached needs file= as its second copy. Error: EINVAL, or what the store lacks.
Result<std::unique_ptr<Store>> open_store(const std::string& spec, bool spins = true);

}  // namespace tmm::far
