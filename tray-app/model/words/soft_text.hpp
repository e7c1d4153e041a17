// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Words for the heaps of soft memory. Pure; any thread.
#pragma once

#include <QList>
#include <QLocale>
#include <QString>

#include "tray-app/model/values/status.hpp"

namespace tmm::tray {

// Puts the heaps in the order of tmmctl soft: those to which more memory gains most come first.
void sort_by_gain(QList<SoftHeap>& heaps);

// Says in a sentence why a heap may have what it may have.
QString soft_reason(const SoftHeap& heap, const SoftShares& shares, const QLocale& locale);

// Returns a user's weight in the division; 100 is usual.
quint32 soft_weight(const SoftShares& shares, quint32 user);

}  // namespace tmm::tray
