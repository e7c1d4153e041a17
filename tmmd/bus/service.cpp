// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/bus/service.hpp"

#include <malloc.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/bounds/user_budget.hpp"
#include "tmmd/bus/access/access.hpp"
#include "tmmd/bus/access/gate.hpp"
#include "tmmd/bus/access/owners.hpp"
#include "tmmd/bus/changes.hpp"
#include "tmmd/bus/logind_client.hpp"
#include "tmmd/bus/manager_object.hpp"
#include "tmmd/wire/sdbus_compat.hpp"

namespace tmm::bus {

namespace {

using namespace std::chrono_literals;

constexpr const char* bus_name = "org.transparentmemory.Tmm1";
constexpr std::chrono::nanoseconds signal_period = 1s;
constexpr std::chrono::nanoseconds notice_period = 1min;
constexpr std::chrono::nanoseconds first_reconnect = 5s;
constexpr std::chrono::nanoseconds max_reconnect = 1min;  // low cost on a machine without a bus
constexpr std::size_t messages_at_once = 64;
constexpr std::size_t max_notice_kinds = 16;

// A message of 32 MiB goes back to the kernel as soon as it is refused. Without this, glibc raises the threshold to the size of
// the first large block that is freed, and keeps the next ones.
constexpr int min_mapped_bytes = 128 * 1024;
void return_large_blocks() {
#ifdef M_MMAP_THRESHOLD
    ::mallopt(M_MMAP_THRESHOLD, min_mapped_bytes);
#endif
}

std::unique_ptr<sdbus::IConnection> connect(const std::string& address) {
    if (address == "system")
        return sdbus::createSystemBusConnection();
    if (address == "session")
        return sdbus::createSessionBusConnection();
    return sdbus::createSessionBusConnectionWithAddress(address);
}

// All that exists while there is a bus. It ends in the opposite order: objects, open questions, bus. tmmd's own questions have a
// connection of their own: they do not wait behind answers, which the bus takes slowly under a flood of calls.
class OnBus {
public:
    OnBus(const std::string& address, Model& model, std::function<void()> changed)
        : questions_(connect(address)),
          connection_(connect(address)),
          callers_(*questions_),
          owners_(*questions_),
          gate_(*connection_, callers_, owners_),
          access_(*questions_, callers_, owners_),
          context_{*connection_, model, access_, std::move(changed)},
          manager_(context_),
          logind_(*questions_, [&model](const core::DesktopSessions& sessions) { model.see_sessions(sessions); }) {
        // Last, so that whoever sees the name finds all objects.
        connection_->requestName(wire::compat::ServiceName(bus_name));
    }

    [[nodiscard]] sdbus::IConnection& questions() const { return *questions_; }
    [[nodiscard]] sdbus::IConnection& connection() const { return *connection_; }
    [[nodiscard]] Gate& gate() { return gate_; }
    [[nodiscard]] Owners& owners() { return owners_; }
    [[nodiscard]] ManagerObject& manager() { return manager_; }
    [[nodiscard]] LogindClient& logind() { return logind_; }

private:
    std::unique_ptr<sdbus::IConnection> questions_;
    std::unique_ptr<sdbus::IConnection> connection_;
    Callers callers_;
    Owners owners_;
    Gate gate_;
    Access access_;
    Context context_;
    ManagerObject manager_;
    LogindClient logind_;
};

}  // namespace

class Service::Impl {
public:
    Impl(std::string address, Model& model, const Log& log) : address_(std::move(address)), model_(model), log_(log) {}

    [[nodiscard]] bool connected() const { return on_bus_ != nullptr; }
    [[nodiscard]] PollRequest poll_request(core::AwakeTime now) const;
    void process(core::AwakeTime now);
    void update(core::AwakeTime now);
    void notice(const std::string& kind, const std::string& text, core::AwakeTime now);

private:
    void connect_when_due();
    void process_messages();
    void refresh_and_publish();
    void log_unanswered();
    void lost(const std::string& why);
    template <typename Work>
    void guarded(Work work);

    std::string address_;
    Model& model_;
    const Log& log_;
    core::AwakeTime now_{};  // of the current call
    Pace signals_{signal_period};
    Pace unanswered_{notice_period};
    std::map<std::string, Pace> notices_;
    Retry retry_{first_reconnect, max_reconnect};
    bool logged_lost_ = false;
    bool changed_ = false;  // a call has changed the model since the last refresh
    std::unique_ptr<OnBus> on_bus_;
};

// An exception means that the bus is lost, or does not behave like a bus: the service leaves it and connects again later. Not for
// callbacks of the bus, which must not end the connection that calls them.
template <typename Work>
void Service::Impl::guarded(Work work) {
    try {
        work();
    } catch (const sdbus::Error& error) {
        lost(error.getMessage());
    }
}

void Service::Impl::lost(const std::string& why) {
    on_bus_.reset();
    model_.see_sessions({});
    retry_.failed(now_);
    if (!logged_lost_)
        log_.warning("no D-Bus (" + address_ + "): " + why + "; goes on without, and tries again");
    logged_lost_ = true;
}

void Service::Impl::connect_when_due() {
    if (on_bus_ || now_ < retry_.due())
        return;
    guarded([this] {
        on_bus_ = std::make_unique<OnBus>(address_, model_, [this] { changed_ = true; });
        changed_ = false;
        retry_.succeeded();
        log_.info(std::string(logged_lost_ ? "D-Bus is back: " : "on D-Bus as ") + bus_name);
        logged_lost_ = false;
    });
}

PollRequest Service::Impl::poll_request(core::AwakeTime now) const {
    PollRequest request;
    const auto wake_at = [&](core::AwakeTime time) {
        const auto timeout = std::max(time - now, std::chrono::nanoseconds(0));
        request.timeout = std::min(request.timeout.value_or(timeout), timeout);
    };
    if (!on_bus_) {
        wake_at(retry_.due());
        return request;
    }
    const auto wait_for = [&](const sdbus::IConnection& connection) {
        wire::compat::append_poll(connection, request.fds);
        if (const auto timeout = wire::compat::poll_timeout(connection))
            wake_at(now + *timeout);
    };
    try {
        wait_for(on_bus_->questions());
        // Nothing is read meanwhile, since each call may add an answer; signals wait as well.
        if (wire::compat::has_unsent(on_bus_->connection())) {
            wire::compat::append_poll_sent(on_bus_->connection(), request.fds);
            return request;
        }
        wait_for(on_bus_->connection());
        if (signals_.due())
            wake_at(*signals_.due());
    } catch (const sdbus::Error&) {
        wake_at(now);  // process() finds the cause
    }
    return request;
}

void Service::Impl::process_messages() {
    const auto process_some = [this](const auto& process_one) {
        for (std::size_t i = 0; i < messages_at_once && process_one(); ++i) {
            // The next call must see the changes of this one.
            if (std::exchange(changed_, false))
                refresh_and_publish();
        }
    };
    process_some([this] { return wire::compat::process_one(on_bus_->questions()); });
    process_some([this] { return on_bus_->gate().process_one(); });
}

void Service::Impl::refresh_and_publish() {
    // Signals would only wait. The next tick sends all that has changed by then.
    if (wire::compat::is_stuck(on_bus_->connection())) {
        changed_ = true;
        return;
    }
    on_bus_->manager().refresh();
    if (signals_.may(now_) && on_bus_->manager().publish())
        signals_.done(now_);
}

void Service::Impl::process(core::AwakeTime now) {
    now_ = now;
    connect_when_due();
    if (!on_bus_)
        return;
    guarded([this] { process_messages(); });
    if (signals_.due() && now >= *signals_.due())
        update(now);
}

void Service::Impl::update(core::AwakeTime now) {
    now_ = now;
    if (!on_bus_)
        return;
    guarded([this] {
        refresh_and_publish();
        on_bus_->logind().update(now_);
        on_bus_->owners().update();
        on_bus_->gate().update();
    });
    log_unanswered();
}

void Service::Impl::log_unanswered() {
    if (!on_bus_ || !unanswered_.may(now_))
        return;
    if (const auto users = on_bus_->gate().take_unanswered(); !users.empty()) {
        unanswered_.done(now_);
        log_.warning("leaves calls of " + names_of(users) + " unanswered: too many answers to them are unread");
    }
}

void Service::Impl::notice(const std::string& kind, const std::string& text, core::AwakeTime now) {
    now_ = now;
    if (!on_bus_ || (notices_.size() >= max_notice_kinds && !notices_.contains(kind)))
        return;
    Pace& pace = notices_.try_emplace(kind, notice_period).first->second;
    if (!pace.may(now))
        return;
    guarded([&] {
        if (wire::compat::is_stuck(on_bus_->connection()))
            return;
        pace.done(now);
        on_bus_->manager().notice(kind, text);
    });
}

Service::Service(std::string address, Model& model, const Log& log)
    : impl_(std::make_unique<Impl>(std::move(address), model, log)) {
    return_large_blocks();
}

Service::~Service() = default;

bool Service::connected() const {
    return impl_->connected();
}

PollRequest Service::poll_request(core::AwakeTime now) const {
    return impl_->poll_request(now);
}

void Service::process(core::AwakeTime now) {
    impl_->process(now);
}

void Service::update(core::AwakeTime now) {
    impl_->update(now);
}

void Service::notice(const std::string& kind, const std::string& text, core::AwakeTime now) {
    impl_->notice(kind, text, now);
}

}  // namespace tmm::bus
