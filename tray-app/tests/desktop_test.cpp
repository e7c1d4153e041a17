// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <cmath>
#include <vector>

#include "tray-app/desktop/activation.hpp"
#include "tray-app/desktop/autostart.hpp"
#include "tray-app/desktop/preferences.hpp"
#include "tray-app/desktop/single_instance.hpp"
#include "tray-app/options.hpp"
#include "tray-app/ui/drawing/theme.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

Result<Options> options_of(std::vector<std::string> words) {
    words.insert(words.begin(), "tmm-tray");
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    return parse_options(static_cast<int>(words.size()), argv.data());
}

TEST(TrayOptions, AreRead) {
    EXPECT_EQ(options_of({})->action, Options::Action::run);
    EXPECT_FALSE(options_of({})->window);
    EXPECT_TRUE(options_of({"--window"})->window);
    EXPECT_TRUE(options_of({"-b"})->background);
    EXPECT_EQ(options_of({"--quit"})->action, Options::Action::quit);
    EXPECT_EQ(options_of({"--version", "--nonsense"})->action, Options::Action::version);
    EXPECT_EQ(options_of({"-h"})->action, Options::Action::help);
}

TEST(TrayOptions, HaveActionsForTheDesktopFile) {
    EXPECT_EQ(options_of({"--pause"})->action, Options::Action::pause);
    EXPECT_EQ(options_of({"--resume"})->action, Options::Action::resume);
}

TEST(Activation, TheTokenIsPassedOnOnce) {
    qputenv("XDG_ACTIVATION_TOKEN", "click-1");
    qputenv("DESKTOP_STARTUP_ID", "start_TIME7");
    const QVariantMap data = take_platform_data();
    EXPECT_EQ(data, (QVariantMap{{u"activation-token"_s, u"click-1"_s}, {u"desktop-startup-id"_s, u"start_TIME7"_s}}));
    qunsetenv("DESKTOP_STARTUP_ID");
    EXPECT_FALSE(qEnvironmentVariableIsSet("XDG_ACTIVATION_TOKEN")) << "a token counts once";
    EXPECT_TRUE(take_platform_data().isEmpty());
}

TEST(Activation, AnotherInstancesTokenIsUsedForTheWindow) {
    SingleInstance instance;
    QString at_activation;
    QObject::connect(&instance, &SingleInstance::activated,
                     [&] { at_activation = qEnvironmentVariable("XDG_ACTIVATION_TOKEN"); });
    ApplicationAdaptor(&instance).Activate({{u"activation-token"_s, u"click-2"_s}});
    EXPECT_EQ(at_activation, u"click-2"_s);
    qunsetenv("XDG_ACTIVATION_TOKEN");
    ApplicationAdaptor(&instance).Activate({});
    EXPECT_EQ(at_activation, QString());
}

TEST(PanelIcon, IsSymbolicWherePanelsColourIt) {
    EXPECT_EQ(panel_icon_name(u"tmm-tray-off"_s, u"ubuntu:GNOME"_s), u"tmm-tray-off-symbolic"_s);
    EXPECT_EQ(panel_icon_name(u"tmm-tray-off"_s, u"X-Cinnamon"_s), u"tmm-tray-off-symbolic"_s);
    EXPECT_EQ(panel_icon_name(u"tmm-tray-off"_s, u"KDE"_s), u"tmm-tray-off"_s);
    EXPECT_EQ(panel_icon_name(u"tmm-tray-off"_s, QString()), u"tmm-tray-off"_s);
    const auto resources = QDir(u":/icons"_s).entryList();
    EXPECT_TRUE(resources.contains(u"tmm-tray-off.svg"_s));
}

TEST(TrayOptions, SayWhatIsWrong) {
    EXPECT_EQ(options_of({"--nonsense"}).error().message(), "unknown option '--nonsense'");
    EXPECT_EQ(options_of({"file"}).error().message(), "unexpected argument 'file'");
    EXPECT_EQ(options_of({"-w", "-b"}).error().message(), "--background and --window exclude each other");
}

class AutostartTest : public testing::Test {
protected:
    void install() {
        QDir().mkpath(system_dir_);
        QFile file(system_dir_ + u"/org.transparentmemory.TmmTray.desktop"_s);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    }
    [[nodiscard]] QStringList user_files() const { return QDir(user_dir_).entryList(QDir::Files); }

    QTemporaryDir directory_;
    QString user_dir_ = directory_.filePath(u"user/autostart"_s);
    QString system_dir_ = directory_.filePath(u"xdg/autostart"_s);
    Autostart autostart_{user_dir_, {directory_.filePath(u"other"_s), system_dir_}};
};

TEST_F(AutostartTest, WithoutAnInstalledFileTheUsersOwnCounts) {
    EXPECT_FALSE(autostart_.enabled());
    EXPECT_TRUE(autostart_.set_enabled(true));
    EXPECT_TRUE(autostart_.enabled());
    EXPECT_TRUE(autostart_.set_enabled(false));
    EXPECT_FALSE(autostart_.enabled());
    EXPECT_TRUE(user_files().isEmpty());
}

TEST_F(AutostartTest, AnInstalledFileIsOverridden) {
    install();
    EXPECT_TRUE(autostart_.enabled());
    EXPECT_TRUE(autostart_.set_enabled(false));
    EXPECT_FALSE(autostart_.enabled());
    EXPECT_EQ(user_files().size(), 1);
    EXPECT_TRUE(autostart_.set_enabled(true));
    EXPECT_TRUE(autostart_.enabled());
    EXPECT_TRUE(user_files().isEmpty());
}

TEST_F(AutostartTest, AFailureToMakeTheDirectoryIsReported) {
    QFile in_the_way(directory_.filePath(u"user"_s));
    ASSERT_TRUE(in_the_way.open(QIODevice::WriteOnly));
    EXPECT_FALSE(autostart_.set_enabled(true));
}

TEST(Preferences, AreKept) {
    const QTemporaryDir directory;
    const QString path = directory.filePath(u"tmm-tray.ini"_s);
    {
        Preferences preferences(path);
        EXPECT_TRUE(preferences.notifications());
        EXPECT_TRUE(preferences.close_to_tray());
        EXPECT_FALSE(preferences.welcomed());
        preferences.set_notifications(false);
        preferences.set_close_to_tray(false);
        preferences.set_welcomed();
        preferences.set_welcome_shown();
    }
    const Preferences again(path);
    EXPECT_FALSE(again.notifications());
    EXPECT_FALSE(again.close_to_tray());
    EXPECT_TRUE(again.welcomed());
    EXPECT_TRUE(again.welcome_shown());
}

// Colours as seen by people who lack one kind of cone (Viénot, Brettel, Mollon 1999; tritanopia: Machado et al. 2009, severity
// 1), and their distance in CIE L*a*b*.
struct Vector {
    double x, y, z;
};

using Matrix = double[3][3];
constexpr Matrix normal = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr Matrix protanopia = {{0.1124, 0.8876, 0}, {0.1124, 0.8876, 0}, {0.0040, -0.0040, 1}};
constexpr Matrix deuteranopia = {{0.2928, 0.7072, 0}, {0.2928, 0.7072, 0}, {-0.0223, 0.0223, 1}};
constexpr Matrix tritanopia = {{1.2555, -0.0767, -0.1788}, {-0.0784, 0.9308, 0.1476}, {0.0047, 0.6914, 0.3039}};
constexpr Matrix to_xyz = {{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}};

Vector operator*(const Matrix& m, const Vector& v) {
    return {m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z, m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
            m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z};
}

double linear(double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

Vector lab_of(const QColor& color, const Matrix& eye) {
    const Vector seen = eye * Vector{linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
    const Vector xyz = to_xyz * seen;
    const auto f = [](double t) {
        t = std::max(0.0, t);
        return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
    };
    const double x = f(xyz.x / 0.9505);
    const double y = f(xyz.y);
    const double z = f(xyz.z / 1.089);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const QColor& a, const QColor& b, const Matrix& eye) {
    const Vector one = lab_of(a, eye);
    const Vector other = lab_of(b, eye);
    return std::hypot(one.x - other.x, one.y - other.y, one.z - other.z);
}

TEST(ChartColors, DifferForEveryColourVision) {
    for (const bool dark : {false, true}) {
        const ChartColors colors = chart_colors(dark);
        const QColor areas[] = {colors.opaque, colors.transparent, colors.free};
        const QColor lines[] = {colors.opaque_limit, colors.transparent_limit};
        for (const auto* eye : {&normal, &protanopia, &deuteranopia, &tritanopia}) {
            EXPECT_GT(distance(lines[0], lines[1], *eye), 30) << "the limits" << (dark ? ", dark" : ", light");
            for (int i = 0; i < 3; ++i) {
                for (int j = i + 1; j < 3; ++j)
                    EXPECT_GT(distance(areas[i], areas[j], *eye), 20)
                        << "areas " << i << " and " << j << (dark ? ", dark" : ", light");
                for (const QColor& line : lines)
                    EXPECT_GT(distance(line, areas[i], *eye), 18) << "a line on area " << i << (dark ? ", dark" : ", light");
            }
        }
    }
}

TEST(Theme, KnowsDarkFromLight) {
    EXPECT_FALSE(is_dark(
        QPalette(Qt::black, Qt::lightGray, Qt::white, Qt::darkGray, Qt::gray, Qt::black, Qt::white, Qt::white, Qt::white)));
    EXPECT_TRUE(is_dark(
        QPalette(Qt::white, Qt::darkGray, Qt::gray, Qt::black, Qt::darkGray, Qt::white, Qt::white, Qt::black, Qt::black)));
}

}  // namespace
}  // namespace tmm::tray
