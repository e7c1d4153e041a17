// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// soft_page.hpp
#include "tray-app/ui/pages/soft_page.hpp"

#include <QGridLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <chrono>
#include <cmath>

#include "tray-app/model/words/format.hpp"
#include "tray-app/model/words/names.hpp"
#include "tray-app/model/words/soft_text.hpp"
#include "tray-app/ui/drawing/padded_delegate.hpp"
#include "tray-app/ui/drawing/theme.hpp"

namespace tmm::tray {
namespace {

using namespace std::chrono_literals;

// The service divides anew each second.
constexpr auto soft_refresh_interval = 5s;

constexpr double bytes_per_gigabyte = 1ULL << 30;
constexpr int max_weight = 10'000;
constexpr int nr_columns = 8;

QLabel* text_label(const QString& text = {}) {
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    wrap_anywhere(label);
    return label;
}

}  // namespace

SoftPage::SoftPage(DaemonClient* client, QWidget* parent)
    : QWidget(parent),
      client_(client),
      list_(make_list()),
      empty_(text_label(tr("No program with soft memory runs at the moment."))),
      reason_(text_label()),
      has_cap_(new QCheckBox(tr("All together at &most"))),
      gigabytes_(new QDoubleSpinBox),
      user_(new QLabel),
      weight_(new QSpinBox),
      apply_weight_(new QPushButton(tr("Set the &weight"))) {
    auto* intro = text_label(tr(
        "Soft memory holds data that programs can compute or fetch again, such as pictures in a cache. The service divides the "
        "memory that the computer can spare among these programs by their gain, and takes it back at once when others need it."));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(intro);
    layout->addWidget(list_, 1);
    layout->addWidget(empty_, 1);
    layout->addWidget(reason_);
    layout->addWidget(make_wishes());
    refresh_.setInterval(soft_refresh_interval);
    connect(&refresh_, &QTimer::timeout, client_, &DaemonClient::read_soft);
    connect(client_, &DaemonClient::soft_read, this, &SoftPage::show_soft);
    connect(client_, &DaemonClient::request_finished, this, [this](Request request) {
        if (request == Request::set_soft)
            client_->read_soft();
    });
    connect(list_, &QTreeWidget::currentItemChanged, this, &SoftPage::show_selected);
    show_list();
}

QTreeWidget* SoftPage::make_list() {
    auto* list = new QTreeWidget;
    list->setHeaderLabels({tr("Program"), tr("User"), tr("May have"), tr("Has"), tr("Could use"), tr("Hits"), tr("Rebuilding"),
                           tr("100 MiB save")});
    for (int column = 2; column < nr_columns; ++column)
        list->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    list->headerItem()->setToolTip(6, tr("Time for making lost data again, for each second of other work"));
    list->headerItem()->setToolTip(7, tr("How much of that time another 100 MiB would save"));
    list->setItemDelegate(new PaddedDelegate(list));
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->setAllColumnsShowFocus(true);
    list->setAlternatingRowColors(true);
    list->setAccessibleName(tr("Soft memory"));
    list->header()->setStretchLastSection(false);
    list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    return list;
}

QWidget* SoftPage::make_wishes() {
    gigabytes_->setSuffix(tr(" GiB"));
    gigabytes_->setDecimals(1);
    gigabytes_->setRange(0.1, 1 << 20);
    gigabytes_->setValue(4);
    gigabytes_->setAccessibleName(tr("Maximum of all soft memory"));
    weight_->setRange(1, max_weight);
    weight_->setAccessibleName(tr("Weight of the user"));
    weight_->setAccessibleDescription(tr("A user with twice the weight may have twice as much; 100 is usual"));
    weight_->setToolTip(weight_->accessibleDescription());
    auto* apply_cap = new QPushButton(tr("Set the ma&ximum"));
    auto* box = new QWidget;
    auto* layout = new QGridLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setColumnStretch(2, 1);
    layout->addWidget(has_cap_, 0, 0);
    layout->addWidget(gigabytes_, 0, 1);
    layout->addWidget(apply_cap, 0, 3);
    layout->addWidget(user_, 1, 0);
    layout->addWidget(weight_, 1, 1);
    layout->addWidget(apply_weight_, 1, 3);
    connect(has_cap_, &QCheckBox::toggled, gigabytes_, &QWidget::setEnabled);
    connect(apply_cap, &QPushButton::clicked, this, &SoftPage::apply_cap);
    connect(apply_weight_, &QPushButton::clicked, this, &SoftPage::apply_weight);
    show_cap();
    return box;
}

const SoftHeap* SoftPage::selected() const {
    const int row = list_->indexOfTopLevelItem(list_->currentItem());
    return row >= 0 && row < heaps_.size() ? &heaps_[row] : nullptr;
}

// Does not overwrite what the user edits: a value is shown only when another one is in force.
void SoftPage::show_soft(const QList<SoftHeap>& heaps, const SoftShares& shares) {
    const SoftShares before = std::exchange(shares_, shares);
    heaps_ = heaps;
    sort_by_gain(heaps_);
    if (shares_.max_bytes != before.max_bytes)
        show_cap();
    show_list();
}

void SoftPage::show_list() {
    const SoftHeap* const before = selected();
    const quint32 process = before == nullptr ? 0 : before->process;
    {
        const QSignalBlocker quiet(list_);
        list_->clear();
        for (const SoftHeap& heap : heaps_) {
            const QString name = process_name(heap.process);
            const QStringList texts{name.isEmpty() ? tr("Process %1").arg(heap.process) : name,
                                    user_name(heap.user),
                                    format_bytes(heap.granted_bytes, locale()),
                                    format_bytes(heap.used_bytes, locale()),
                                    format_bytes(heap.footprint_bytes, locale()),
                                    format_share(heap.hits, locale()),
                                    format_share(heap.rebuilding, locale()),
                                    format_share(heap.gain, locale())};
            auto* item = new QTreeWidgetItem(list_, texts);
            for (int column = 2; column < nr_columns; ++column)
                item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
            if (heap.process == process)
                list_->setCurrentItem(item);
        }
        if (list_->currentItem() == nullptr)
            list_->setCurrentItem(list_->topLevelItem(0));
    }
    list_->setVisible(!heaps_.isEmpty());
    empty_->setVisible(heaps_.isEmpty());
    show_selected();
}

void SoftPage::show_cap() {
    const bool any = shares_.max_bytes != no_limit;
    has_cap_->setChecked(any);
    gigabytes_->setEnabled(any);
    if (any)
        gigabytes_->setValue(static_cast<double>(shares_.max_bytes) / bytes_per_gigabyte);
}

void SoftPage::show_selected() {
    const SoftHeap* const heap = selected();
    reason_->setText(heap == nullptr ? QString() : soft_reason(*heap, shares_, locale()));
    for (QWidget* widget : std::initializer_list<QWidget*>{reason_, user_, weight_, apply_weight_})
        widget->setVisible(heap != nullptr);
    if (heap == nullptr)
        return;
    const QString text = tr("Weight of %1:").arg(user_name(heap->user));
    const quint32 weight = soft_weight(shares_, heap->user);
    if (user_->text() != text || (!weight_->hasFocus() && !apply_weight_->hasFocus()))
        weight_->setValue(static_cast<int>(weight));
    user_->setText(text);
}

void SoftPage::apply_cap() {
    client_->set_soft_cap(has_cap_->isChecked() ? static_cast<quint64>(std::llround(gigabytes_->value() * bytes_per_gigabyte))
                                                : no_limit);
}

void SoftPage::apply_weight() {
    if (const SoftHeap* const heap = selected())
        client_->set_soft_weight(heap->user, static_cast<quint32>(weight_->value()));
}

void SoftPage::showEvent(QShowEvent* event) {
    client_->read_soft();
    refresh_.start();
    QWidget::showEvent(event);
}

void SoftPage::hideEvent(QHideEvent* event) {
    refresh_.stop();
    QWidget::hideEvent(event);
}

}  // namespace tmm::tray
