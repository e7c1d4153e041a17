# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bash completion of tmmctl(1)

# Prints the names of contributions, without those that need JSON's escapes.
_tmmctl_names() {
    sed 's/.*"contributions": //' | grep -o '"name": "[^"\\]*"' | sed 's/^"name": "//; s/"$//' | sort -u
}

_tmmctl() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command="" word
    local commands="status top watch pause resume stop off on limit doctor history explain soft boinc"
    # "=" is a word of its own for bash: --max = 4G
    local value=0
    if [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
        value=1
    elif [[ $current == = ]]; then
        current=""
        value=1
    fi
    for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
        if [[ " $commands " == *" $word "* ]]; then
            command=$word
            break
        fi
    done
    local words="" names=0
    case $previous in
        --only-when-idle | --only-on-mains) ((value)) && words="yes no" ;;
        --max) words="10% 25% 50% none" ;;
        --quiet-hours) words="22:00-07:00 none" ;;
        -n | --count | -d | --delay) return ;;
        until) words="07:00 12:00 18:00 tomorrow" ;;
    esac
    if [[ -z $words ]]; then
        case $command in
            '') words="$commands --json --help --version" ;;
            status) words="--json --quiet" ;;
            top) words="--json --count= --delay=" ;;
            pause)
                words="30min 1h 2h until tomorrow --json"
                names=1
                ;;
            resume | stop)
                words="--json"
                names=1
                ;;
            limit) words="--max= --only-when-idle --only-on-mains --quiet-hours= --none --json" ;;
            history) words="minutes hours days --csv --json" ;;
            explain) words="--count= --json" ;;
            soft) words="cap weight --json" ;;
            *) words="--json" ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    if ((names)); then
        # One name a line: names may hold blanks.
        while IFS= read -r word; do
            [[ -n $word && $word == "$current"* ]] && COMPREPLY+=("$(printf %q "$word")")
        done < <(tmmctl status --json 2> /dev/null | _tmmctl_names)
    fi
    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2> /dev/null
    return 0
}
complete -F _tmmctl tmmctl
