// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/bus_client.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <deque>
#include <map>
#include <tuple>
#include <type_traits>

#include "manager_proxy.h"
#include "tmmd/ctl/bus_values.hpp"
#include "tmmd/wire/members.hpp"
#include "tmmd/wire/sdbus_compat.hpp"

namespace tmm::ctl {

namespace {

constexpr const char* daemon_name = "org.transparentmemory.Tmm1";
constexpr const char* daemon_path = "/org/transparentmemory/Tmm1";
constexpr const char* daemon_interface = org::transparentmemory::Tmm1_proxy::INTERFACE_NAME;
constexpr const char* properties_interface = "org.freedesktop.DBus.Properties";

// tmmd answers within milliseconds; after this time it hangs.
constexpr auto read_timeout = std::chrono::seconds(10);
// An administrator may have to find the password.
constexpr auto write_timeout = std::chrono::minutes(5);

constexpr const char* not_running =
    "tmmd does not run: start it with 'systemctl start tmmd' (package tmm-daemon); 'tmmctl doctor' says more";

// Translates an error of the bus. The daemon's own messages are for people already.
Error daemon_error(const sdbus::Error& error) {
    constexpr std::string_view bus_errors = "org.freedesktop.DBus.Error.";
    constexpr std::string_view daemon_errors = "org.transparentmemory.Tmm1.Error.";
    const std::string& full_name = error.getName();
    std::string_view name = full_name;
    const std::string& message = error.getMessage();
    if (name.starts_with(daemon_errors)) {
        name.remove_prefix(daemon_errors.size());
        return {name == "NotAuthorized" ? EPERM : name == "Vanished" ? ENOENT : EIO, message};
    }
    if (!name.starts_with(bus_errors))
        return {EIO, message};
    name.remove_prefix(bus_errors.size());
    if (name == "ServiceUnknown" || name == "NameHasNoOwner" || name == "Disconnected")
        return {ENOTCONN, not_running};
    // The bus answers NoReply also for a daemon that ended during the call.
    if (name == "NoReply" || name == "Timeout")
        return {ETIMEDOUT, "tmmd does not answer: 'journalctl -u tmmd' may say why"};
    if (name == "UnknownObject" || name == "UnknownMethod")  // of a contribution that has ended
        return {ENOENT, message};
    if (name == "AccessDenied")
        return {EPERM, "the bus does not let this user talk to tmmd: " + message};
    return {EIO, message};
}

// Calls f and turns an exception of sdbus-c++ into an error.
template <typename Function>
auto guarded(Function&& f) -> Result<decltype(f())> {
    try {
        if constexpr (std::is_void_v<decltype(f())>) {
            f();
            return {};
        } else {
            return f();
        }
    } catch (const sdbus::Error& error) {
        return daemon_error(error);
    }
}

// Values of types that no member has are left out.
wire::Values values_of(const PropertyMap& properties) {
    wire::Values values;
    for (const auto& [name, variant] : properties) {
        const std::string type = variant.peekValueType();
        if (type == "t")
            values[name] = variant.get<std::uint64_t>();
        else if (type == "d")
            values[name] = variant.get<double>();
        else if (type == "b")
            values[name] = variant.get<bool>();
        else if (type == "s")
            values[name] = variant.get<std::string>();
    }
    return values;
}

wire::Status status_of(const PropertyMap& properties) {
    wire::Status status;
    wire::for_each_property(status, [&]<typename Value>(const char* name, Value& value) {
        PropertyMap entries;
        if constexpr (std::is_same_v<Value, wire::Values>) {
            take(properties, name, entries);
            value = values_of(entries);
        } else if constexpr (std::is_same_v<Value, wire::Caps>) {
            take(properties, name, entries);
            wire::for_each_cap(value, [&](const char* key, auto& cap) { take(entries, key, cap); });
        } else {
            take(properties, name, value);
        }
    });
    return status;
}

PropertyMap dictionary_of(const wire::CapsChange& change) {
    PropertyMap caps;
    wire::for_each_cap(change, [&](const char* key, const auto& value) {
        if (value)
            caps.emplace(key, sdbus::Variant(*value));
    });
    return caps;
}

// fields: one of wire/members.hpp.
template <typename Row, typename Fields, typename... Values>
std::vector<Row> rows_of(const std::vector<sdbus::Struct<Values...>>& structs, const Fields& fields) {
    std::vector<Row> rows(structs.size());
    for (std::size_t i = 0; i < structs.size(); ++i)
        fields(rows[i]) = static_cast<const std::tuple<Values...>&>(structs[i]);
    return rows;
}

// The events that nobody has fetched yet. Changes in a row become one.
class EventQueue {
public:
    void push(Event event) {
        if (event.kind == Event::Kind::changed && !events_.empty() && events_.back().kind == Event::Kind::changed)
            return;
        events_.push_back(std::move(event));
    }
    [[nodiscard]] bool empty() const { return events_.empty(); }
    Event pop() {
        Event event = std::move(events_.front());
        events_.pop_front();
        return event;
    }

private:
    std::deque<Event> events_;
};

class DaemonProxy : public sdbus::ProxyInterfaces<org::transparentmemory::Tmm1_proxy> {
public:
    DaemonProxy(sdbus::IConnection& connection, EventQueue& events)
        : ProxyInterfaces(connection, wire::compat::ServiceName{daemon_name}, sdbus::ObjectPath{daemon_path}), events_(events) {
        getProxy()
            .uponSignal("PropertiesChanged")
            .onInterface(properties_interface)
            .call([this](const std::string& interface, const PropertyMap& /*changed*/, const std::vector<std::string>& /*gone*/) {
                if (interface == daemon_interface)
                    events_.push({});
            });
        registerProxy();
    }
    DaemonProxy(const DaemonProxy&) = delete;
    DaemonProxy& operator=(const DaemonProxy&) = delete;
    ~DaemonProxy() { unregisterProxy(); }

    // Reads all in one call, so that the values are of one moment.
    PropertyMap properties() {
        PropertyMap properties;
        getProxy()
            .callMethod("GetAll")
            .onInterface(properties_interface)
            .withArguments(std::string(daemon_interface))
            .storeResultsTo(properties);
        return properties;
    }

private:
    void onContributionAdded(const sdbus::ObjectPath& contribution) override {
        events_.push({Event::Kind::contribution_added, contribution, {}});
    }
    void onContributionRemoved(const sdbus::ObjectPath& contribution) override {
        events_.push({Event::Kind::contribution_removed, contribution, {}});
    }
    void onNotice(const std::string& kind, const std::string& text) override { events_.push({Event::Kind::notice, kind, text}); }

    EventQueue& events_;
};

class ContributionProxy : public sdbus::ProxyInterfaces<> {
public:
    ContributionProxy(sdbus::IConnection& connection, const std::string& object)
        : ProxyInterfaces(connection, wire::compat::ServiceName{daemon_name}, sdbus::ObjectPath{object}) {
        registerProxy();
    }
    ContributionProxy(const ContributionProxy&) = delete;
    ContributionProxy& operator=(const ContributionProxy&) = delete;
    ~ContributionProxy() { unregisterProxy(); }

    void steer(Steering what) {
        constexpr const char* interface = "org.transparentmemory.Tmm1.Contribution1";
        constexpr std::array<const char*, 3> methods{"Pause", "Resume", "Stop"};
        getProxy().callMethod(methods[static_cast<std::size_t>(what)]).onInterface(interface);
    }
};

// The message bus itself.
class BusProxy : public sdbus::ProxyInterfaces<> {
public:
    explicit BusProxy(sdbus::IConnection& connection)
        : ProxyInterfaces(connection, wire::compat::ServiceName{bus_name}, sdbus::ObjectPath{"/org/freedesktop/DBus"}) {}
    BusProxy(const BusProxy&) = delete;
    BusProxy& operator=(const BusProxy&) = delete;
    ~BusProxy() { unregisterProxy(); }

    bool has_owner(const char* name) {
        bool has = false;
        getProxy().callMethod("NameHasOwner").onInterface(bus_name).withArguments(std::string(name)).storeResultsTo(has);
        return has;
    }
    bool would_start(const char* name) {
        std::vector<std::string> names;
        getProxy().callMethod("ListActivatableNames").onInterface(bus_name).storeResultsTo(names);
        return std::find(names.begin(), names.end(), name) != names.end();
    }
    // events must outlive this.
    void follow(EventQueue& events) {
        getProxy()
            .uponSignal("NameOwnerChanged")
            .onInterface(bus_name)
            .call([&events](const std::string& name, const std::string& /*before*/, const std::string& now) {
                if (name == daemon_name)
                    events.push({now.empty() ? Event::Kind::daemon_gone : Event::Kind::daemon_back, {}, {}});
            });
        registerProxy();
    }

private:
    static constexpr const char* bus_name = "org.freedesktop.DBus";
};

class BusClient : public Client {
public:
    explicit BusClient(std::unique_ptr<sdbus::IConnection> connection)
        : connection_(std::move(connection)), bus_(*connection_), daemon_(*connection_, events_) {
        bus_.follow(events_);
    }

    Result<wire::Status> status() override {
        return read<wire::Status>([&] { return status_of(daemon_.properties()); });
    }

    Result<std::vector<wire::Contribution>> contributions() override {
        return read<std::vector<wire::Contribution>>(
            [&] { return rows_of<wire::Contribution>(daemon_.ListContributions(), wire::contribution); });
    }

    Result<std::vector<wire::HistoryRow>> history(const std::string& resolution) override {
        return read<std::vector<wire::HistoryRow>>(
            [&] { return rows_of<wire::HistoryRow>(daemon_.GetHistory(resolution), wire::history_row); });
    }

    Result<std::vector<wire::Decision>> decisions(std::uint32_t max) override {
        return read<std::vector<wire::Decision>>(
            [&] { return rows_of<wire::Decision>(daemon_.GetDecisions(max), wire::decision); });
    }

    Result<std::vector<wire::SoftHeap>> soft_heaps() override {
        return read<std::vector<wire::SoftHeap>>(
            [&] { return rows_of<wire::SoftHeap>(daemon_.GetSoftHeaps(), wire::soft_heap); });
    }

    Result<wire::SoftShares> soft_shares() override {
        return read<wire::SoftShares>([&] {
            const auto shares = daemon_.GetSoftShares();
            return wire::SoftShares{std::get<0>(shares), rows_of<wire::SoftWeight>(std::get<1>(shares), wire::soft_weight)};
        });
    }

    Result<void> pause(std::chrono::seconds length) override {
        return write([&] { daemon_.Pause(static_cast<std::uint64_t>(length.count())); });
    }
    Result<void> resume() override {
        return write([&] { daemon_.Resume(); });
    }
    Result<void> set_on(bool on) override {
        return write([&] { daemon_.SetOn(on); });
    }
    Result<void> set_caps(const wire::CapsChange& change) override {
        return write([&] { daemon_.SetCaps(dictionary_of(change)); });
    }
    Result<void> set_soft_cap(std::uint64_t bytes) override {
        return write([&] { daemon_.SetSoftCap(bytes); });
    }
    Result<void> set_soft_weight(const wire::SoftWeight& weight) override {
        return write([&] { daemon_.SetSoftWeight(weight.user, weight.weight); });
    }

    Result<void> steer(const std::string& object, Steering what) override {
        return write([&] { ContributionProxy(*connection_, object).steer(what); });
    }

    Result<Event> next_event() override {
        return guarded([&] {
            // Signals may have arrived with the replies to calls: take them before waiting for more.
            for (;;) {
                while (wire::compat::process_one(*connection_)) {
                }
                if (!events_.empty())
                    return events_.pop();
                std::vector<pollfd> fds;
                wire::compat::append_poll(*connection_, fds);
                const auto timeout = wire::compat::poll_timeout(*connection_);
                ::poll(fds.data(), fds.size(), timeout ? static_cast<int>(timeout->count()) : -1);
            }
        });
    }

private:
    template <typename Value, typename Function>
    Result<Value> read(Function&& f) {
        return guarded([&] {
            connection_->setMethodCallTimeout(read_timeout);
            return f();
        });
    }
    template <typename Function>
    Result<void> write(Function&& f) {
        return guarded([&] {
            connection_->setMethodCallTimeout(write_timeout);
            f();
        });
    }

    EventQueue events_;
    std::unique_ptr<sdbus::IConnection> connection_;
    BusProxy bus_;
    DaemonProxy daemon_;
};

Result<std::unique_ptr<sdbus::IConnection>> connect_to_bus() {
    try {
        return sdbus::createSystemBusConnection();
    } catch (const sdbus::Error& error) {
        return Error(ENOTCONN, "the system bus cannot be reached (" + error.getMessage() + ")");
    }
}

}  // namespace

Result<std::unique_ptr<Client>> connect_to_daemon() {
    auto connection = connect_to_bus();
    if (!connection)
        return Error(ENOTCONN, connection.error().message() + ": start it with 'systemctl start dbus'");
    auto client = guarded([&]() -> std::unique_ptr<Client> {
        if (!BusProxy(**connection).has_owner(daemon_name))
            return nullptr;
        return std::make_unique<BusClient>(*std::move(connection));
    });
    if (client && !*client)
        return Error(ENOTCONN, not_running);
    return client;
}

BusFacts probe_bus() {
    constexpr const char* polkit = "org.freedesktop.PolicyKit1";
    BusFacts facts;
    auto connection = connect_to_bus();
    if (!connection) {
        facts.bus_problem = connection.error().message();
        return facts;
    }
    const auto asked = guarded([&] {
        BusProxy bus(**connection);
        facts.has_polkit = bus.has_owner(polkit) || bus.would_start(polkit);
        if (!bus.has_owner(daemon_name)) {
            facts.daemon_problem = "tmmd does not run";
            return;
        }
        const auto status = BusClient(*std::move(connection)).status();
        if (status)
            facts.status = *status;
        else
            facts.daemon_problem = status.error().message();
    });
    if (!asked)
        facts.bus_problem = asked.error().message();
    return facts;
}

}  // namespace tmm::ctl
