#compdef tmm-far
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# zsh completion of tmm-far(1)

local context state line
typeset -A opt_args
local -a names

case $words[2] in
    run)
        shift words
        ((--CURRENT))
        _arguments -S \
            '(-m --memory)'{-m+,--memory=}'[local memory]:size:' \
            '(-n --name)'{-n+,--name=}'[name for the other commands]:name:' \
            '(-s --store)'{-s+,--store=}'[where the rest is]:store:(memory file= memcached= none)' \
            '(-w --window)'{-w+,--window=}'[pages to fetch ahead]:pages:' \
            '(-W --weight)'{-W+,--weight=}'[of the share of the link]:number:' \
            '--without=[parts to switch off]:parts:_values -s , part streams vote successors edges keep spin async-read async-write' \
            '--follow[take less if the cgroup has less]' \
            '--socket=[socket of the pager]:file:_files' \
            '--pager=[pager to start]:file:_files' \
            '--library=[library to load]:file:_files' \
            '(-):command: _command_names -e' \
            '*::arguments: _normal'
        ;;
    advise)
        shift words
        ((--CURRENT))
        _arguments -S \
            '(-m --memory)'{-m+,--memory=}'[local memory]:size:' \
            '(-):command: _command_names -e' \
            '*::arguments: _normal'
        ;;
    limit | record | stop)
        if ((CURRENT == 3)); then
            names=(${(f)"$(tmm-far status 2> /dev/null | cut -d ' ' -f 1)"})
            compadd -a names
        elif [[ $words[2] == record ]] && ((CURRENT == 4)); then
            _files
        fi
        ;;
    *)
        _arguments \
            '(- *)'{-h,--help}'[show a short help]' \
            '(- *)--version[show the version]' \
            ':command:(run advise limit record status top stop)'
        ;;
esac
