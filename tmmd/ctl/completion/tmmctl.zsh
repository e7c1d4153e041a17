#compdef tmmctl
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# zsh completion of tmmctl(1)

local context state line ret=1
typeset -A opt_args
local -a commands json
commands=(
    'status:what is given, what it costs, and why'
    'top:contributions and the biggest processes, again and again'
    'watch:a line for each change'
    'pause:freeze contributions'
    'resume:end a pause'
    'off:switch off until it is switched on'
    'on:switch on'
    'limit:show or set the conditions on which memory is given'
    'doctor:check that all is there that TMM needs'
    'history:how memory was used'
    'explain:the last decisions with their reasons'
)
json=('--json[print JSON]')

_arguments -C \
    $json \
    '(- *)'{-h,--help}'[show a summary]' \
    '(- *)--version[show the version]' \
    '1:command:->command' \
    '*::argument:->argument' && ret=0

case $state in
    command)
        _describe -t commands command commands && ret=0 ;;
    argument)
        case $words[1] in
            status) _arguments $json '(-q --quiet)'{-q,--quiet}'[print nothing, exit with a code for the state]' && ret=0 ;;
            top) _arguments $json '(-n --count)'{-n+,--count=}'[end after N looks]:number:' \
                '(-d --delay)'{-d+,--delay=}'[seconds between two looks]:seconds:' && ret=0 ;;
            pause) _arguments $json '*:duration:(30min 1h 2h until tomorrow)' && ret=0 ;;
            limit) _arguments $json '*--max=[give at most so much]:size or share:(10% 25% 50% none)' \
                '--only-when-idle=-[give only while the owner is away]::whether:(yes no)' \
                '--only-on-mains=-[give only while not on battery]::whether:(yes no)' \
                '--quiet-hours=[give nothing between these times]:times:(22\:00-07\:00 none)' \
                '--none[no condition at all]' && ret=0 ;;
            history) _arguments $json '--csv[print a table with commas]' '1:period:(minutes hours days)' && ret=0 ;;
            explain) _arguments $json '(-n --count)'{-n+,--count=}'[show N decisions]:number:' && ret=0 ;;
            *) _arguments $json && ret=0 ;;
        esac ;;
esac
return ret
