#compdef maketransparent
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# zsh completion of maketransparent(1)

local context state line
typeset -A opt_args
local -a names

_arguments -S \
    '(-n --name)'{-n+,--name=}'[name of the contribution]:name:' \
    '(-l --list -r --release)'{-p,--pid}'[mark running processes]:*:process:_pids' \
    '(-)'{-l,--list}'[list contributions]' \
    '(-p --pid -l --list)'{-r,--release}'[make the processes of contributions ordinary again]:*:contribution:->contribution' \
    '(--user --system)--cgroup=[use a cgroup v2 directory, not systemd]:directory:_files -/' \
    '(--system --cgroup)--user[use the service manager of the user]' \
    '(--user --cgroup)--system[use the service manager of the system]' \
    '--dry-run[print the actions and do nothing]' \
    '(-v --verbose)'{-v,--verbose}'[say whether tmmd registered the name]' \
    '(- *)'{-h,--help}'[show a short help]' \
    '(- *)--version[show the version]' \
    '(-):command: _command_names -e' \
    '*::arguments: _normal'

if [[ $state == contribution ]]; then
    names=(${(f)"$(maketransparent --list 2> /dev/null | cut -d ' ' -f 1)"})
    compadd -a names
fi
