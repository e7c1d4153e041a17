// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// about_page.hpp
#include "tray-app/ui/pages/about_page.hpp"

#include <QVBoxLayout>

#include "tray-app/ui/drawing/theme.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

constexpr int about_picture_size = 64;

}  // namespace

AboutPage::AboutPage(DaemonClient* client, QWidget* parent) : QWidget(parent), client_(client), versions_(new QLabel) {
    auto* picture = new QLabel;
    picture->setPixmap(tray::picture(u"org.transparentmemory.TmmTray"_s, about_picture_size, devicePixelRatioF()));
    auto* title = new QLabel(tr("Transparent Memory"));
    enlarge_text(title);
    embolden_text(title);
    auto* text = new QLabel(tr(
        "Transparent Memory gives contributions the memory that your programs do not need. It takes the memory back when your "
        "programs need it.\n\nIt measures only how much memory is used, and when. It never reads the contents of memory, and "
        "it sends nothing anywhere.\n\nSoft memory: a program can keep data that it can make again, such as a cache, in memory "
        "that the kernel may take at any time. Such programs use softlib; contributions do not need it.\n\nTo stop it, pause it "
        "from the icon, switch it off in the settings, or remove the "
        "package tmm-daemon.\n\nManual pages: tmm-tray(1), tmmctl(1) and tmmd(8)."));
    auto* licence =
        new QLabel(tr("© 2026 The TMM authors. Free software under the GNU General Public License, version 2 or later."));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(picture);
    layout->addWidget(title);
    for (QLabel* label : {versions_, text, licence}) {
        label->setTextFormat(Qt::PlainText);
        wrap_anywhere(label);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        layout->addWidget(label);
        layout->addSpacing(8);
    }
    layout->addStretch();
    connect(client_, &DaemonClient::snapshot_changed, this, &AboutPage::show_versions);
    show_versions();
}

void AboutPage::show_versions() {
    QStringList lines{tr("tmm-tray %1, Qt %2").arg(QStringLiteral(TMM_VERSION), QString::fromLatin1(qVersion()))};
    const Snapshot& snapshot = client_->snapshot();
    if (snapshot.link == Link::connected) {
        lines << tr("tmmd %1").arg(snapshot.status.version);
        lines << tr("Source of samples: %1 (%2)").arg(snapshot.status.source, snapshot.status.source_reason);
    }
    versions_->setText(lines.join(u'\n'));
}

}  // namespace tmm::tray
