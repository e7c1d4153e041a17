# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bash completion of tmm-far(1)

_tmm_far() {
    local current=${COMP_WORDS[COMP_CWORD]} i
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "run advise limit record status top stop --help --version" -- "$current")
        return 0
    fi
    case ${COMP_WORDS[1]} in
        limit | record | stop)
            ((COMP_CWORD == 2)) &&
                mapfile -t COMPREPLY < <(compgen -W "$(tmm-far status 2> /dev/null | cut -d ' ' -f 1)" -- "$current")
            [[ ${COMP_WORDS[1]} == record ]] && ((COMP_CWORD == 3)) && mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
        advise | run)
            for ((i = 2; i < COMP_CWORD; ++i)); do
                if [[ ${COMP_WORDS[i]} == -- ]]; then # the command, with a completion of its own
                    declare -F _command_offset > /dev/null && _command_offset $((i + 1))
                    return
                fi
            done
            mapfile -t COMPREPLY < <(compgen -W "--memory= --name= --store= --window= --weight= --without= --follow --socket= --pager= --library= --" -- "$current")
            [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2> /dev/null ;;
    esac
    return 0
}
complete -F _tmm_far tmm-far
