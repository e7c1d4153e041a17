#compdef tmmctl
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# zsh completion of tmmctl(1)

local context state line ret=1
typeset -A opt_args
local -a commands json
commands=(
    'status:show what is given, its cost and the reason'
    'top:show contributions and the biggest processes, repeatedly'
    'watch:print a line for each change'
    'pause:freeze contributions'
    'resume:end a pause'
    'stop:end the programs of one contribution'
    'off:give nothing until switched on'
    'on:end off'
    'limit:show or set the conditions for giving memory'
    'doctor:check what TMM needs'
    'history:show how memory was used'
    'explain:show the last decisions with their reasons'
    'soft:show which programs have soft memory'
    'boinc:show the tasks of BOINC and science by day'
)
json=('--json[print JSON]')
# Without the names that need the escapes of JSON.
local -a names
(( $words[(I)(pause|resume|stop)] )) && names=(${(fu)"$(tmmctl status --json 2> /dev/null |
    sed 's/.*"contributions": //' | grep -o '"name": "[^"\\]*"' | sed 's/^"name": "//; s/"$//')"})

_arguments -C \
    $json \
    '(- *)'{-h,--help}'[show a short help]' \
    '(- *)--version[show the version]' \
    '1:command:->command' \
    '*::argument:->argument' && ret=0

case $state in
    command)
        _describe -t commands command commands && ret=0 ;;
    argument)
        case $words[1] in
            status) _arguments $json '(-q --quiet)'{-q,--quiet}'[print nothing; the exit status says the state]' && ret=0 ;;
            top) _arguments $json '(-n --count)'{-n+,--count=}'[end after N updates]:number:' \
                '(-d --delay)'{-d+,--delay=}'[seconds between two updates]:seconds:' && ret=0 ;;
            pause) _arguments $json '*:duration or name:(30min 1h 2h until tomorrow ${names:q})' && ret=0 ;;
            resume|stop) _arguments $json '1:name:(${names:q})' && ret=0 ;;
            limit) _arguments $json '*--max=[give at most this much]:size or share:(10% 25% 50% none)' \
                '--only-when-idle=-[give only while nobody uses the machine]::whether:(yes no)' \
                '--only-on-mains=-[give only while the machine is not on battery]::whether:(yes no)' \
                '--quiet-hours=[give nothing between these times]:times:(22\:00-07\:00 none)' \
                '--none[remove all conditions]' && ret=0 ;;
            history) _arguments $json '--csv[print a table with commas]' '1:period:(minutes hours days)' && ret=0 ;;
            explain) _arguments $json '(-n --count)'{-n+,--count=}'[show N decisions]:number:' && ret=0 ;;
            soft) _arguments $json '1:what:(cap weight)' '*:value:' && ret=0 ;;
            *) _arguments $json && ret=0 ;;
        esac ;;
esac
return ret
