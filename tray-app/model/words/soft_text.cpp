// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// soft_text.hpp
#include "tray-app/model/words/soft_text.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <functional>

#include "tray-app/model/words/format.hpp"

namespace tmm::tray {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Soft)
};

// Less is shown as 0.0 %.
constexpr double min_gain = 0.0005;

}  // namespace

void sort_by_gain(QList<SoftHeap>& heaps) {
    std::ranges::stable_sort(heaps, std::greater(), &SoftHeap::gain);
}

QString soft_reason(const SoftHeap& heap, const SoftShares& shares, const QLocale& locale) {
    const QString may_have = format_bytes(heap.granted_bytes, locale);
    if (heap.granted_bytes >= heap.footprint_bytes)
        return Words::tr("It may have %1, which is all that it could use.").arg(may_have);
    if (heap.gain < min_gain)
        return Words::tr("It may have %1. More would save it almost nothing, so others come first.").arg(may_have);
    const QString gain = format_share(heap.gain, locale);
    if (shares.max_bytes != no_limit)
        return Words::tr(
                   "It may have %1. 100 MiB more would save %2 of its work, but all soft memory together may have at most %3.")
            .arg(may_have, gain, format_bytes(shares.max_bytes, locale));
    return Words::tr(
               "It may have %1. 100 MiB more would save %2 of its work, but other programs need the memory, or gain more "
               "from it.")
        .arg(may_have, gain);
}

quint32 soft_weight(const SoftShares& shares, quint32 user) {
    const auto found = std::ranges::find(shares.weights, user, &SoftWeight::user);
    return found == shares.weights.end() ? SoftWeight().weight : found->weight;
}

}  // namespace tmm::tray
