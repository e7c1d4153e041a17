// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/rpc/requests.hpp"

#include <md5.h>

#include <array>

#include "boinc-adapter/rpc/framing.hpp"

namespace tmm::boinc::request {

namespace {

std::string frame(const std::string& body) {
    return "<boinc_gui_rpc_request>\n" + body + "</boinc_gui_rpc_request>\n" + frame_end;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case frame_end:
                break;  // would end the request; no client gives such a name
            default:
                out += c;
        }
    }
    return out;
}

std::string task_operation(const std::string& operation, const TaskId& task) {
    return frame("<" + operation + ">\n<project_url>" + escaped(task.project_url) + "</project_url>\n<name>" +
                 escaped(task.name) + "</name>\n</" + operation + ">\n");
}

std::string md5_hex(std::string_view text) {
    std::array<char, MD5_DIGEST_STRING_LENGTH> digest{};
    ::MD5Data(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), digest.data());
    return digest.data();
}

}  // namespace

std::string authenticate() {
    return frame("<auth1/>\n");
}

std::string authenticate(std::string_view nonce, std::string_view password) {
    return frame("<auth2>\n<nonce_hash>" + md5_hex(std::string(nonce) + std::string(password)) + "</nonce_hash>\n</auth2>\n");
}

std::string versions() {
    return frame("<exchange_versions>\n<major>8</major>\n<minor>0</minor>\n<release>0</release>\n</exchange_versions>\n");
}

std::string tasks() {
    return frame("<get_results>\n<active_only>0</active_only>\n</get_results>\n");
}

std::string mode() {
    return frame("<get_cc_status/>\n");
}

std::string host() {
    return frame("<get_host_info/>\n");
}

std::string works() {
    return frame("<get_state/>\n");
}

std::string preferences() {
    return frame("<get_global_prefs_working/>\n");
}

std::string suspend(const TaskId& task) {
    return task_operation("suspend_result", task);
}

std::string resume(const TaskId& task) {
    return task_operation("resume_result", task);
}

std::string run_never(std::chrono::seconds length) {
    return frame("<set_run_mode>\n<never/>\n<duration>" + std::to_string(length.count()) + "</duration>\n</set_run_mode>\n");
}

std::string restore_mode() {
    return frame("<set_run_mode>\n<restore/>\n<duration>0</duration>\n</set_run_mode>\n");
}

std::string read_preferences() {
    return frame("<read_global_prefs_override/>\n");
}

}  // namespace tmm::boinc::request
