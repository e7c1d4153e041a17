# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bash completion of maketransparent(1)

_maketransparent() {
    local current=${COMP_WORDS[COMP_CWORD]} i word
    local options="--name= --pid --list --release --cgroup= --user --system --dry-run --verbose --help --version"
    for ((i = 1; i < COMP_CWORD; ++i)); do
        word=${COMP_WORDS[i]}
        case $word in
            -n | --name | --cgroup)
                [[ ${COMP_WORDS[i + 1]} == = ]] && ((++i))
                ((++i)) ;;
            -p | --pid)
                mapfile -t COMPREPLY < <(compgen -W "$(ps -o pid= -u "$EUID")" -- "$current")
                return ;;
            -r | --release)
                mapfile -t COMPREPLY < <(compgen -W "$(maketransparent --list 2> /dev/null | cut -d ' ' -f 1)" -- "$current")
                return ;;
            -l | --list) return ;;
            --) ;;
            -*) ;;
            *)  # the command, with a completion of its own
                declare -F _command_offset > /dev/null && _command_offset "$i"
                return ;;
        esac
    done
    if [[ ${COMP_WORDS[COMP_CWORD - 1]} == --cgroup || ${COMP_WORDS[COMP_CWORD - 2]-} == --cgroup ]]; then
        [[ $current == = ]] && current=""
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
    elif [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
        [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2> /dev/null
    else
        mapfile -t COMPREPLY < <(compgen -c -- "$current")
    fi
    return 0
}
complete -F _maketransparent maketransparent
