# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fish completion of tmm-far(1)

complete -c tmm-far -f
complete -c tmm-far -n __fish_use_subcommand -a run -d "Run a command in less memory than it needs"
complete -c tmm-far -n __fish_use_subcommand -a advise -d "Say how to run a command that is too big"
complete -c tmm-far -n __fish_use_subcommand -a limit -d "Set the local memory of a program"
complete -c tmm-far -n __fish_use_subcommand -a record -d "Write the faults of a program to a file"
complete -c tmm-far -n __fish_use_subcommand -a status -d "Print a line for each program"
complete -c tmm-far -n __fish_use_subcommand -a top -d "Show a table of the programs"
complete -c tmm-far -n __fish_use_subcommand -a stop -d "Kill a program"
complete -c tmm-far -n "__fish_seen_subcommand_from limit record stop" -a "(tmm-far status 2> /dev/null | string match -r '^[^ ]+')"
complete -c tmm-far -n "__fish_seen_subcommand_from advise run" -x -a "(__fish_complete_subcommand -- -m --memory -n --name -s --store -w --window -W --weight --without)"
complete -c tmm-far -n "__fish_seen_subcommand_from advise run" -s m -l memory -x -d "Local memory"
complete -c tmm-far -n "__fish_seen_subcommand_from run" -s n -l name -x -d "Name for the other commands"
complete -c tmm-far -n "__fish_seen_subcommand_from run" -s s -l store -x -a "memory file= memcached= none" -d "Where the rest is"
complete -c tmm-far -n "__fish_seen_subcommand_from run" -s w -l window -x -d "Pages to fetch ahead"
complete -c tmm-far -n "__fish_seen_subcommand_from record" -F
complete -c tmm-far -n "__fish_seen_subcommand_from run" -s W -l weight -x -d "Of the share of the link"
complete -c tmm-far -n "__fish_seen_subcommand_from run" -l without -x -a "streams vote successors edges keep spin async-read async-write" -d "Parts to switch off"
complete -c tmm-far -n "__fish_seen_subcommand_from run" -l follow -d "Take less if the cgroup has less"
complete -c tmm-far -l socket -r -F -d "Socket of the pager"
complete -c tmm-far -l pager -r -F -d "Pager to start"
complete -c tmm-far -l library -r -F -d "Library to load"
complete -c tmm-far -s h -l help -d "Show a short help"
complete -c tmm-far -l version -d "Show the version"
