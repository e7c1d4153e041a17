# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fish completion of maketransparent(1)

complete -c maketransparent -x -a "(__fish_complete_subcommand -- -n --name --cgroup)"
complete -c maketransparent -s n -l name -x -d "Name of the contribution"
complete -c maketransparent -s p -l pid -x -a "(__fish_complete_pids)" -d "Mark running processes"
complete -c maketransparent -s l -l list -d "List contributions"
complete -c maketransparent -s r -l release -x -a "(maketransparent --list 2> /dev/null | string match -r '^[^ ]+')" \
    -d "Make the processes of contributions ordinary again"
complete -c maketransparent -l cgroup -x -a "(__fish_complete_directories)" -d "Use a cgroup v2 directory, not systemd"
complete -c maketransparent -l user -d "Use the service manager of the user"
complete -c maketransparent -l system -d "Use the service manager of the system"
complete -c maketransparent -l dry-run -d "Print the actions and do nothing"
complete -c maketransparent -s v -l verbose -d "Say whether tmmd registered the name"
complete -c maketransparent -s h -l help -d "Show a short help"
complete -c maketransparent -l version -d "Show the version"
