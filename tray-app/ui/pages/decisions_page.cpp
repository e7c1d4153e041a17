// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// decisions_page.hpp
#include "tray-app/ui/pages/decisions_page.hpp"

#include <QDateTime>
#include <QHeaderView>
#include <QVBoxLayout>

#include "tray-app/model/words/decision_text.hpp"
#include "tray-app/ui/drawing/padded_delegate.hpp"
#include "tray-app/ui/drawing/theme.hpp"

namespace tmm::tray {
namespace {

constexpr quint32 max_rows = 100;

}  // namespace

DecisionsPage::DecisionsPage(DaemonClient* client, QWidget* parent)
    : QWidget(parent), client_(client), words_(new QLabel), list_(new QTableWidget(0, 3)) {
    auto* intro = new QLabel(tr("This page lists the latest decisions of the service."));
    intro->setWordWrap(true);
    words_->setTextFormat(Qt::PlainText);
    wrap_anywhere(words_);
    words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    list_->setHorizontalHeaderLabels({tr("Time"), tr("Decision"), tr("Reason")});
    list_->setItemDelegate(new PaddedDelegate(list_));
    list_->setShowGrid(false);
    list_->setAlternatingRowColors(true);
    list_->setWordWrap(true);
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setSelectionBehavior(QAbstractItemView::SelectRows);
    list_->setTabKeyNavigation(false);
    list_->setAccessibleName(tr("Decisions"));
    list_->verticalHeader()->hide();
    list_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    list_->horizontalHeader()->setHighlightSections(false);
    list_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    list_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    list_->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(intro);
    layout->addWidget(words_);
    layout->addWidget(list_, 1);
    connect(client_, &DaemonClient::decisions_read, this, &DecisionsPage::show_decisions);
    connect(client_, &DaemonClient::snapshot_changed, this, &DecisionsPage::show_words);
    show_words();
}

void DecisionsPage::refresh() {
    client_->read_decisions(max_rows);
}

void DecisionsPage::show_words() {
    const Snapshot& snapshot = client_->snapshot();
    const bool any = snapshot.link == Link::connected && !snapshot.status.reason.isEmpty();
    words_->setText(any ? tr("The service's own words, in English: “%1”").arg(snapshot.status.reason) : QString());
    words_->setVisible(any);
}

void DecisionsPage::show_decisions(const QList<Decision>& decisions) {
    const QDateTime now = QDateTime::currentDateTime();
    list_->setRowCount(static_cast<int>(decisions.size()));
    for (int row = 0; row < list_->rowCount(); ++row) {
        const Decision& decision = decisions[row];
        const QString texts[] = {decision_time(decision, now, locale()), decision_word(decision.kind),
                                 decision_sentence(decision, locale())};
        for (int column = 0; column < 3; ++column)
            list_->setItem(row, column, new QTableWidgetItem(texts[column]));
    }
}

}  // namespace tmm::tray
