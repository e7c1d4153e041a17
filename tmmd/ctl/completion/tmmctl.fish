# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fish completion of tmmctl(1)

# Prints the names of contributions, without those that need the escapes of JSON.
function __tmmctl_names
    tmmctl status --json 2>/dev/null | string replace -r '.*"contributions": ' '' | string match -rag '"name": "([^"\\\\]*)"'
end

set -l commands status top watch pause resume stop off on limit doctor history explain soft boinc
set -l none "not __fish_seen_subcommand_from $commands"
set -l with "__fish_seen_subcommand_from"

complete -c tmmctl -f
complete -c tmmctl -n $none -a status -d "Show what is given, its cost and the reason"
complete -c tmmctl -n $none -a top -d "Show contributions and the biggest processes, repeatedly"
complete -c tmmctl -n $none -a watch -d "Print a line for each change"
complete -c tmmctl -n $none -a pause -d "Freeze contributions"
complete -c tmmctl -n $none -a resume -d "End a pause"
complete -c tmmctl -n $none -a stop -d "End the programs of one contribution"
complete -c tmmctl -n $none -a off -d "Give nothing until switched on"
complete -c tmmctl -n $none -a on -d "End off"
complete -c tmmctl -n $none -a limit -d "Show or set the conditions for giving memory"
complete -c tmmctl -n $none -a doctor -d "Check what TMM needs"
complete -c tmmctl -n $none -a history -d "Show how memory was used"
complete -c tmmctl -n $none -a explain -d "Show the last decisions with their reasons"
complete -c tmmctl -n $none -a soft -d "Show which programs have soft memory"
complete -c tmmctl -n $none -a boinc -d "Show the tasks of BOINC and science by day"

complete -c tmmctl -s h -l help -d "Show a short help"
complete -c tmmctl -l version -d "Show the version"
complete -c tmmctl -l json -d "Print JSON"
complete -c tmmctl -n "$with status" -s q -l quiet -d "Print nothing; the exit status says the state"
complete -c tmmctl -n "$with top" -s n -l count -x -d "End after N updates"
complete -c tmmctl -n "$with top" -s d -l delay -x -d "Seconds between two updates"
complete -c tmmctl -n "$with pause" -a "30min 1h 2h until tomorrow"
complete -c tmmctl -n "$with pause resume stop" -a "(__tmmctl_names)" -d "Contribution"
complete -c tmmctl -n "$with limit" -l max -x -a "10% 25% 50% none" -d "Give at most this much"
complete -c tmmctl -n "$with limit" -l only-when-idle -d "Give only while nobody uses the machine"
complete -c tmmctl -n "$with limit" -l only-on-mains -d "Give only while the machine is not on battery"
complete -c tmmctl -n "$with limit" -l quiet-hours -x -a "22:00-07:00 none" -d "Give nothing between these times"
complete -c tmmctl -n "$with limit" -l none -d "Remove all conditions"
complete -c tmmctl -n "$with history" -a "minutes hours days"
complete -c tmmctl -n "$with history" -l csv -d "Print a table with commas"
complete -c tmmctl -n "$with soft" -a "cap weight"
complete -c tmmctl -n "$with explain" -s n -l count -x -d "Show N decisions"
