// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/commands.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <deque>

#include "tmmd/ctl/views/fake_status.hpp"
#include "tmmd/ctl/views/status.hpp"

namespace tmm::ctl {
namespace {

// Gives prepared answers and notes the calls.
class FakeClient : public Client {
public:
    Result<wire::Status> status() override {
        ++reads;
        if (failure)
            return *failure;
        return now;
    }
    Result<std::vector<wire::Contribution>> contributions() override { return there; }
    Result<std::vector<wire::HistoryRow>> history(const std::string& resolution) override {
        asked += "history " + resolution;
        return std::vector<wire::HistoryRow>{};
    }
    Result<std::vector<wire::Decision>> decisions(std::uint32_t max) override {
        asked += "decisions " + std::to_string(max);
        return std::vector<wire::Decision>{};
    }
    Result<std::vector<wire::SoftHeap>> soft_heaps() override { return std::vector<wire::SoftHeap>{{.process = 7}}; }
    Result<wire::SoftShares> soft_shares() override { return shares; }
    Result<void> set_soft_cap(std::uint64_t bytes) override {
        shares.max_bytes = bytes;
        return note("soft cap");
    }
    Result<void> set_soft_weight(const wire::SoftWeight& weight) override {
        shares.weights = {weight};
        return note("soft weight");
    }
    Result<void> pause(std::chrono::seconds length) override { return note("pause " + std::to_string(length.count())); }
    Result<void> resume() override { return note("resume"); }
    Result<void> set_on(bool on) override { return note(on ? "on" : "off"); }
    Result<void> set_caps(const wire::CapsChange& change) override {
        if (change.max_bytes)
            now.caps.max_bytes = *change.max_bytes;
        return note("caps");
    }
    Result<void> steer(const std::string& object, Steering what) override {
        if (failure)
            return *failure;
        for (wire::Contribution& one : there) {
            if (one.object == object)
                one.state = what == Steering::resume ? "running" : what == Steering::pause ? "paused" : "stopping";
        }
        if (ends)
            std::erase_if(there, [&](const auto& one) { return one.object == object; });
        asked += object + (what == Steering::resume ? " resume" : what == Steering::pause ? " pause" : " stop");
        return {};
    }
    Result<Event> next_event() override {
        if (events.empty())
            return Error(ENOTCONN, "the test is over");
        const auto [event, status] = events.front();
        events.pop_front();
        failure = status;
        return event;
    }

    wire::SoftShares shares;
    std::vector<wire::Contribution> there = two_contributions();
    bool ends = false;  // a steered contribution is gone at once
    wire::Status now = giving();
    std::optional<Error> failure;
    std::deque<std::pair<Event, std::optional<Error>>> events;
    std::string asked;
    int reads = 0;

private:
    Result<void> note(const std::string& what) {
        asked += what;
        return failure ? Result<void>(*failure) : Result<void>();
    }
};

class Commands : public testing::Test {
protected:
    Commands() {
        use_utc();
        environment_.out = [this](const std::string& text) {
            out_ += text;
            return ++pieces_ < max_pieces_;
        };
        environment_.screen = [this] { return screen_; };
        environment_.now_us = [] { return noon_us; };
        environment_.sleep = [this](std::chrono::milliseconds time) { slept_ += time; };
        environment_.processes = [] { return four_processes(); };
        environment_.user_id = [](const std::string& name) {
            return name == "ada" ? std::optional(std::uint32_t{1001}) : std::nullopt;
        };
    }
    int run(Command command) {
        options_.command = command;
        const auto done = run_command(client_, options_, environment_);
        if (!done)
            out_ += "error: " + done.error().message();
        return done ? *done : -1;
    }

    FakeClient client_;
    Options options_;
    CommandEnvironment environment_;
    Screen screen_;
    std::string out_;
    int pieces_ = 0;
    int max_pieces_ = 1000;
    std::chrono::milliseconds slept_{0};
};

TEST_F(Commands, StatusShowsTheTasksOfBoincAmongTheContributions) {
    int asked = 0;
    environment_.boinc_tasks = [&] {
        ++asked;
        return std::vector<BoincTask>{{"Rosetta", "mini", "fold_7", "running", 0, gb, 0, 0, false}};
    };
    EXPECT_EQ(run(Command::status), 0);
    EXPECT_EQ(asked, 0) << "BOINC is no contribution";
    client_.there[0].name = "boinc-client.service";
    EXPECT_EQ(run(Command::status), 0);
    EXPECT_EQ(asked, 1);
    EXPECT_NE(out_.find("Rosetta: fold_7"), std::string::npos);
}

TEST_F(Commands, StatusShowsOrKeepsQuiet) {
    EXPECT_EQ(run(Command::status), 0);
    EXPECT_NE(out_.find("povray"), std::string::npos);
    out_.clear();
    options_.quiet = true;
    client_.now.state = "off";
    EXPECT_EQ(run(Command::status), 12);
    EXPECT_EQ(out_, "");
}

TEST_F(Commands, SoftTakesTheOwnersWishes) {
    EXPECT_EQ(run(Command::soft), 0);
    EXPECT_EQ(client_.asked, "");
    options_.soft_max_bytes = gb;
    EXPECT_EQ(run(Command::soft), 0);
    EXPECT_NE(out_.find("All together may have at most"), std::string::npos);
    options_.soft_max_bytes.reset();
    options_.soft_weight = {"ada", 300};
    EXPECT_EQ(run(Command::soft), 0);
    EXPECT_EQ(client_.shares.weights, (std::vector<wire::SoftWeight>{{1001, 300}}));
    options_.soft_weight = {"1002", 50};
    EXPECT_EQ(run(Command::soft), 0);
    EXPECT_EQ(client_.shares.weights, (std::vector<wire::SoftWeight>{{1002, 50}}));
    for (const char* const nobody : {"eve", "4294967295", "99999999999999999999"}) {
        options_.soft_weight = {nobody, 50};
        EXPECT_EQ(run(Command::soft), -1);
        EXPECT_NE(out_.find("error: there is no user '" + std::string(nobody) + "'"), std::string::npos);
    }
}

TEST_F(Commands, OneContributionIsSteeredByItsName) {
    options_.contribution = "povray";
    EXPECT_EQ(run(Command::pause), 0);
    EXPECT_EQ(out_, "povray: paused\n");
    EXPECT_EQ(run(Command::resume), 0);
    client_.ends = true;
    EXPECT_EQ(run(Command::stop), 0);
    EXPECT_EQ(out_, "povray: paused\npovray: running\npovray: ended\n");
    EXPECT_EQ(client_.asked, "/c/1 pause/c/1 resume/c/1 stop");
}

TEST_F(Commands, OneContributionAsJson) {
    options_.contribution = "/c/2";
    options_.json = true;
    EXPECT_EQ(run(Command::stop), 0);
    EXPECT_EQ(out_, contribution_json(client_.there[1]) + "\n");
    EXPECT_NE(out_.find("\"state\": \"stopping\""), std::string::npos);
}

TEST_F(Commands, AnUnknownOrAmbiguousNameSteersNothing) {
    options_.contribution = "poovray";
    EXPECT_EQ(run(Command::pause), -1);
    EXPECT_NE(out_.find("there is no contribution 'poovray'"), std::string::npos) << out_;
    EXPECT_NE(out_.find("tmmctl status"), std::string::npos) << out_;
    out_.clear();
    options_.contribution = "";
    EXPECT_EQ(run(Command::stop), -1) << "a name that the caller may not see is no name";
    client_.there.push_back({"/c/3", "povray", 0, 1, "running", 100});
    options_.contribution = "povray";
    EXPECT_EQ(run(Command::stop), -1);
    EXPECT_NE(out_.find("2 contributions have the name 'povray'; name one by its object: /c/1 /c/3"), std::string::npos) << out_;
    EXPECT_EQ(client_.asked, "");
    options_.contribution = "/c/3";
    EXPECT_EQ(run(Command::stop), 0);
    EXPECT_EQ(client_.asked, "/c/3 stop");
}

TEST_F(Commands, ANameIsFoundAsItIsShown) {
    client_.there[0].name = "pov\x1b[2Jray";
    options_.contribution = "pov\\x1b[2Jray";
    EXPECT_EQ(run(Command::pause), 0);
    EXPECT_EQ(client_.asked, "/c/1 pause");
}

TEST_F(Commands, AContributionThatEndedIsToldSo) {
    options_.contribution = "povray";
    client_.failure = Error(ENOENT, "gone");
    EXPECT_EQ(run(Command::stop), -1);
    EXPECT_NE(out_.find("'povray' ended in the meantime"), std::string::npos) << out_;
}

TEST_F(Commands, ChangesTellWhatIsThen) {
    options_.pause = std::chrono::minutes(30);
    client_.now.state = "paused";
    client_.now.paused_until_us = noon_us + 1'800'000'000;
    EXPECT_EQ(run(Command::pause), 0);
    EXPECT_EQ(client_.asked, "pause 1800");
    EXPECT_EQ(out_, "paused until 12:30 (30 min more): " + client_.now.reason + "\n");
    client_.asked.clear();
    for (const Command command : {Command::resume, Command::off, Command::on})
        run(command);
    EXPECT_EQ(client_.asked, "resumeoffon");
}

TEST_F(Commands, RefusalsAreErrors) {
    client_.failure = Error(EPERM, "polkit denied it");
    for (const Command command :
         {Command::pause, Command::resume, Command::off, Command::on, Command::status, Command::explain, Command::top}) {
        out_.clear();
        EXPECT_EQ(run(command), -1);
        EXPECT_EQ(out_, "error: polkit denied it");
    }
}

TEST_F(Commands, LimitSetsOnlyWhatIsNamed) {
    EXPECT_EQ(run(Command::limit), 0);
    EXPECT_EQ(client_.asked, "") << "showing asks for no password";
    options_.caps.max_bytes = 4 * gb;
    options_.json = true;
    out_.clear();
    EXPECT_EQ(run(Command::limit), 0);
    EXPECT_EQ(client_.asked, "caps");
    EXPECT_TRUE(out_.starts_with("{\"max_bytes\": 4294967296, ")) << out_;
}

TEST_F(Commands, HistoryAndExplainAskForWhatIsWanted) {
    options_.resolution = "days";
    EXPECT_EQ(run(Command::history), 0);
    EXPECT_EQ(run(Command::explain), 0);
    options_.count = 3;
    EXPECT_EQ(run(Command::explain), 0);
    EXPECT_EQ(client_.asked, "history daysdecisions 20decisions 3");
}

TEST_F(Commands, TopIsOneTableWithoutATerminal) {
    EXPECT_EQ(run(Command::top), 0);
    EXPECT_EQ(client_.reads, 1);
    EXPECT_EQ(slept_.count(), 0);
    EXPECT_EQ(out_.find('\x1b'), std::string::npos);
}

TEST_F(Commands, TopRefreshesATerminal) {
    screen_ = {true, false, 80, 24};
    options_.count = 3;
    options_.delay = std::chrono::milliseconds(700);
    EXPECT_EQ(run(Command::top), 0);
    EXPECT_EQ(client_.reads, 3);
    EXPECT_EQ(slept_.count(), 1400) << "only between updates";
    EXPECT_TRUE(out_.starts_with("\x1b[H\x1b[2Jgiving"));
    max_pieces_ = pieces_ + 1;
    options_.count.reset();
    EXPECT_EQ(run(Command::top), 0) << "ends when nobody reads any more";
}

TEST_F(Commands, WatchTellsOfEachEvent) {
    client_.events = {{{Event::Kind::notice, "pressure", "held"}, {}},
                      {{Event::Kind::changed, "", ""}, {}},
                      {{Event::Kind::changed, "", ""}, Error(ENOTCONN, "it went away in between")},
                      {{Event::Kind::daemon_gone, "", ""}, Error(ENOTCONN, "gone")},
                      {{Event::Kind::daemon_back, "", ""}, {}}};
    EXPECT_EQ(run(Command::watch), -1);
    std::string starts;
    for (std::size_t line = 0, end = 0; (end = out_.find('\n', line)) != std::string::npos; line = end + 1)
        starts += out_.substr(line + 10, 6) + "|";
    EXPECT_EQ(starts, "giving|notice|giving|tmmd i|tmmd i|");
    EXPECT_EQ(client_.reads, 4) << "a notice changes nothing";
    EXPECT_NE(out_.find("error: the test is over"), std::string::npos);
}

TEST_F(Commands, WatchKnowsTheNamesOfContributions) {
    client_.events = {{{Event::Kind::contribution_added, "/c/1", ""}, {}},
                      {{Event::Kind::contribution_removed, "/c/1", ""}, {}},
                      {{Event::Kind::contribution_removed, "/c/2", ""}, {}}};
    run(Command::watch);
    EXPECT_NE(out_.find("contribution povray has started\n"), std::string::npos);
    EXPECT_NE(out_.find("contribution povray has ended\n"), std::string::npos);
    EXPECT_NE(out_.find("contribution /c/2 has ended\n"), std::string::npos) << "one that this user may not know";
}

TEST_F(Commands, WatchEndsWhenNobodyReads) {
    max_pieces_ = 1;
    EXPECT_EQ(run(Command::watch), 0);
}

}  // namespace
}  // namespace tmm::ctl
