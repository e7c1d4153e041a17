// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/donation/other_clients.hpp"

#include <gtest/gtest.h>

namespace tmm::boinc {
namespace {

constexpr uid_t boinc = 112;
constexpr uid_t ann = 1000;
constexpr std::uint16_t port = 31416;
const OwnClient own{"/var/lib/boinc-client", boinc, port, 100};
const OwnClient absent_client{"/var/lib/boinc-client", boinc, port, {}};
const SeenClient service{100, boinc, "boinc", "", port, true};
const SeenClient anns{200, ann, "ann", "/home/ann/BOINC", port, false};
const SeenClient second{300, boinc, "boinc", "/srv/boinc", 31417, true};

using Texts = std::vector<std::string>;

TEST(OtherClients, NobodyReadsOfTheOwnOne) {
    EXPECT_EQ(sentences_of_others(own, {service}), Texts());
    EXPECT_EQ(sentences_of_others(own, {}), Texts());
    // It shares its directory with others, and so locks nothing.
    EXPECT_EQ(sentences_of_others(absent_client, {service}), Texts());
    SeenClient by_directory = second;
    by_directory.data_dir = own.data_dir;
    EXPECT_EQ(sentences_of_others(absent_client, {by_directory}), Texts());
}

TEST(OtherClients, AreToldWithWhatCanBeDone) {
    EXPECT_EQ(
        sentences_of_others(own, {service, anns, second}),
        (Texts{"Another BOINC client runs as user ann in /home/ann/BOINC (process 200). tmm-boinc leaves it alone, for it may "
               "not read its password; its user can make its next tasks contributions with 'maketransparent -p 200'.",
               "Another BOINC client runs as user boinc in /srv/boinc (process 300). tmm-boinc follows the one in "
               "/var/lib/boinc-client; tmm-boinc(8) tells how to choose the other."}));
}

TEST(OtherClients, OneOfTheSameUserIsAnotherIfTheOwnOneIsKnown) {
    SeenClient twin = service;
    twin.pid = 101;
    EXPECT_EQ(sentences_of_others(own, {twin}).size(), 1U);
    EXPECT_NE(sentences_of_others(own, {twin})[0].find("as user boinc (process 101)"), std::string::npos);
}

TEST(OtherClients, NamesAreHarmlessAndManyAreBounded) {
    SeenClient hostile = anns;
    hostile.data_dir = "/tmp/\033[2J" + std::string(5000, 'x');
    const Texts texts = sentences_of_others(own, std::vector<SeenClient>(100, hostile));
    EXPECT_EQ(texts.size(), 8U);
    EXPECT_EQ(texts[0].find('\033'), std::string::npos);
    EXPECT_LT(texts[0].size(), 1000U);
}

TEST(Port, LeadsToTheOwnClient) {
    EXPECT_EQ(reason_not_to_connect(own, boinc, {service}), "");
    EXPECT_EQ(reason_not_to_connect(own, boinc, {service, anns, second}), "");
    EXPECT_EQ(reason_not_to_connect(absent_client, boinc, {service}), "");
}

TEST(Port, OfAnotherUsersClientIsNotTouched) {
    EXPECT_EQ(reason_not_to_connect(absent_client, ann, {anns}),
              "at port 31416 is the BOINC client of /home/ann/BOINC, and not that of /var/lib/boinc-client");
    // Also if no client is seen there.
    for (const OwnClient& one : {own, absent_client})
        EXPECT_EQ(reason_not_to_connect(one, ann, {}),
                  "at port 31416 listens user 1000, who has not the BOINC client of /var/lib/boinc-client");
    // The own one runs, and was too late for the port.
    SeenClient elsewhere = service;
    elsewhere.port = 31417;
    EXPECT_NE(reason_not_to_connect(own, ann, {elsewhere, anns}), "");
}

TEST(Port, OfAUserWhoOnlyNamesTheOwnDirectoryIsNotTouched) {
    SeenClient feigned = anns;
    feigned.data_dir = own.data_dir;
    EXPECT_NE(reason_not_to_connect(absent_client, ann, {feigned}), "");
    EXPECT_EQ(sentences_of_others(absent_client, {feigned}).size(), 1U);
    feigned.uid = 0;
    EXPECT_EQ(reason_not_to_connect(absent_client, 0, {feigned}), "");
}

TEST(Port, OfASecondClientOfTheSameUserIsNotTouched) {
    SeenClient here = second;
    here.port = port;
    EXPECT_NE(reason_not_to_connect(absent_client, boinc, {here}), "");
    SeenClient elsewhere = service;
    elsewhere.port = 31417;
    EXPECT_NE(reason_not_to_connect(own, boinc, {elsewhere, here}), "");
}

TEST(Port, MayBelongToTheUserWhoRunsTheClientInAnothersDirectory) {
    SeenClient as_root = service;
    as_root.uid = 0;
    EXPECT_EQ(reason_not_to_connect(own, 0, {as_root}), "");
    EXPECT_NE(reason_not_to_connect(own, boinc, {as_root}), "");
}

TEST(Silence, OfAClientThatRunsHasItsReason) {
    EXPECT_EQ(
        reason_of_silence(own, "", "Connection refused"),
        "The BOINC client runs (process 100), but does not answer at port 31416: Connection refused; tmm-boinc(8) tells how to "
        "name another port or a socket.");
    OwnClient at_socket = own;
    at_socket.port.reset();
    EXPECT_NE(reason_of_silence(at_socket, "", "No such file").find("at the socket of --socket: No such file;"),
              std::string::npos);
    EXPECT_EQ(reason_of_silence(own, "", ""), "") << "it answers";
}

TEST(Silence, OfAClientThatDoesNotRunHasOneOnlyIfItsPortIsTaken) {
    EXPECT_EQ(reason_of_silence(absent_client, "", "Connection refused"), "");
    for (const OwnClient& one : {own, absent_client})
        EXPECT_EQ(reason_of_silence(one, "at port 31416 listens user 1000", "Connection refused")
                      .find("tmm-boinc talks to no BOINC client: at port 31416 listens user 1000; "),
                  0U);
}

}  // namespace
}  // namespace tmm::boinc
