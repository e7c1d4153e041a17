# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# For scripts whose commands write a log.

# Shows the last line of the log every few seconds, until it is killed or the script ends.
follow() { # LOG TITLE
  local never
  trap 'exit 0' TERM
  # A read with a timeout: sleep would outlive this shell, and keep its output open.
  exec {never}<> <(:)
  while ! read -rt 5 -u "$never" && kill -0 $$ 2>/dev/null; do
    echo "   $2: $(tail -n 1 "$1" | tr -dc '[:print:]' | cut -c1-100)" >&2
  done
}
