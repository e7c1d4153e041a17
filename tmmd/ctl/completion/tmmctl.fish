# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fish completion of tmmctl(1)

set -l commands status top watch pause resume off on limit doctor history explain
set -l none "not __fish_seen_subcommand_from $commands"
set -l with "__fish_seen_subcommand_from"

complete -c tmmctl -f
complete -c tmmctl -n $none -a status -d "What is given, what it costs, and why"
complete -c tmmctl -n $none -a top -d "Contributions and the biggest processes, again and again"
complete -c tmmctl -n $none -a watch -d "A line for each change"
complete -c tmmctl -n $none -a pause -d "Freeze contributions"
complete -c tmmctl -n $none -a resume -d "End a pause"
complete -c tmmctl -n $none -a off -d "Switch off until it is switched on"
complete -c tmmctl -n $none -a on -d "Switch on"
complete -c tmmctl -n $none -a limit -d "Show or set the conditions on which memory is given"
complete -c tmmctl -n $none -a doctor -d "Check that all is there that TMM needs"
complete -c tmmctl -n $none -a history -d "How memory was used"
complete -c tmmctl -n $none -a explain -d "The last decisions with their reasons"

complete -c tmmctl -s h -l help -d "Show a summary"
complete -c tmmctl -l version -d "Show the version"
complete -c tmmctl -l json -d "Print JSON"
complete -c tmmctl -n "$with status" -s q -l quiet -d "Print nothing, exit with a code for the state"
complete -c tmmctl -n "$with top" -s n -l count -x -d "End after N looks"
complete -c tmmctl -n "$with top" -s d -l delay -x -d "Seconds between two looks"
complete -c tmmctl -n "$with pause" -a "30min 1h 2h until tomorrow"
complete -c tmmctl -n "$with limit" -l max -x -a "10% 25% 50% none" -d "Give at most so much"
complete -c tmmctl -n "$with limit" -l only-when-idle -d "Give only while the owner is away"
complete -c tmmctl -n "$with limit" -l only-on-mains -d "Give only while not on battery"
complete -c tmmctl -n "$with limit" -l quiet-hours -x -a "22:00-07:00 none" -d "Give nothing between these times"
complete -c tmmctl -n "$with limit" -l none -d "No condition at all"
complete -c tmmctl -n "$with history" -a "minutes hours days"
complete -c tmmctl -n "$with history" -l csv -d "Print a table with commas"
complete -c tmmctl -n "$with explain" -s n -l count -x -d "Show N decisions"
