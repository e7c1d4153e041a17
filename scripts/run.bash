# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# For ./run and the files of scripts/suites/ and scripts/benches/, which run in the top folder of the repository.

. scripts/progress.bash

say() { printf '\n== %s\n' "$*"; }
die() { echo "run: $*" >&2; exit 1; }

has_word() { # WORD ARGUMENT...
  local word=$1
  shift
  printf '%s\n' "$@" | grep -qxF -- "$word"
}

# Reads scripts/KIND/NAME: its description, its packages (groups of scripts/packages) and its function commands().
load() { # KIND NAME
  local file=scripts/$1/$2
  description='' packages=''
  unset -f commands
  # shellcheck source=/dev/null
  . "$file"
  [ -n "$description" ] || die "$file sets no description"
  [ -n "$packages" ] || die "$file sets no packages"
  declare -F commands >/dev/null || die "$file defines no commands()"
}

names() { find "scripts/$1" -type f -name '[a-z]*[a-z0-9]' -printf '%f\n' | LC_ALL=C sort; } # KIND

names_except() { # KIND NAME...
  local kind=$1
  shift
  names "$kind" | grep -vxF -f <(printf '%s\n' "$@") || true
}

require_names() { # KIND NAME...
  local kind=$1 name
  shift
  for name in "$@"; do
    names "$kind" | grep -qxF -- "$name" || die "no '$name' in scripts/$kind/; there are: $(names "$kind" | paste -sd' ')"
  done
}

describe() { # KIND NAME...
  local kind=$1 name
  shift
  for name in "$@"; do
    # One file must not see the variables of another.
    (load "$kind" "$name" && printf '      %-12s %s\n' "$name" "$description")
  done
}

list() { # KIND DEFAULT...
  local others
  mapfile -t others < <(names_except "$@")
  describe "$@"
  [ ${#others[@]} = 0 ] || { echo "    These run only by name:" && describe "$1" "${others[@]}"; }
}

# Shows the output of a command only if it fails; until then its last line every few seconds.
quietly() { # TITLE COMMAND...
  local title=$1 log code=0 progress
  shift
  mkdir -p out/logs
  log=out/logs/${title// /-}.log
  : >"$log"
  follow "$log" "$title" &
  progress=$!
  "$@" >"$log" 2>&1 || code=$?
  kill "$progress" 2>/dev/null || true
  if [ "$code" != 0 ]; then
    tail -n 30 "$log" >&2
    die "$title failed (exit $code); all of its output: $log"
  fi
}

# Takes eight sources of a target as one, so that each header is read once for them. If their names clash, rename one, or give the target
# override_options: ['unity=off']. Backtraces and sanitizers need line numbers only; the rest of the debug information takes a quarter of
# the time to compile.
configure() { # BUILD_DIR MESON_OPTION...
  local dir=$1 options=(-Dunity=on -Dunity_size=8 -Ddebug=false -Dc_args=-g1 -Dcpp_args=-g1 "${@:2}")
  [ ! -e "$dir/build.ninja" ] || options+=(--reconfigure)
  quietly "configuring $dir" meson setup "$dir" "${options[@]}"
}

# ccache keeps objects where kernels are kept, too, so that a clean clone in the same folder compiles only what changed. In depend mode it
# hashes the headers instead of preprocessing each source first.
compile() { # BUILD_DIR [TARGET...]
  local objects=${TMM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tmm}/ccache
  CCACHE_DIR=$objects CCACHE_MAXSIZE=2G CCACHE_DEPEND=1 CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 \
    quietly "compiling $1" ninja -C "$@"
}

build_programs() { # BUILD_DIR MESON_OPTION...
  configure "$@"
  compile "$1"
}

# Each compiler gives other false warnings. The code is kept free of those of gcc 12 (Debian 12); with another one nobody's build fails.
warnings_are_errors() {
  local compiler
  read -ra compiler <<<"${CXX:-c++}"
  if [ "$("${compiler[@]}" -dumpversion | cut -d. -f1)" = 12 ]; then echo true; else echo false; fi
}

# In build/ only: even gcc 12 gives false warnings (-Wrestrict, -Wmaybe-uninitialized) for optimised or instrumented code.
build_with_tests() { # MESON_OPTION...
  build_programs build -Dwerror="$(warnings_are_errors)" -Dtests=true -Dunit_tests=false "$@"
}

# Compiles only what tests need.
build_sanitized() { # BUILD_DIR SANITIZERS MESON_OPTION...
  configure "$1" -Db_sanitize="$2" "${@:3}"
  compile "$1" meson-test-prereq
}

# Unit tests run with these sanitizers only: to compile them without, too, takes too long for CI. The checks of each pointer take half of
# the time to compile; AddressSanitizer finds most of what they find.
build_address_sanitized() {
  build_sanitized build-sanitize address,undefined -Doptimization=1 -Dtray=disabled \
    -Dcpp_args='-g1 -fno-sanitize=null -fno-sanitize=alignment -fno-sanitize=object-size'
}
sanitized_tests_as_tap() { # MESON_TEST_OPTION...
  ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 meson_tests_as_tap build-sanitize "$@"
}

meson_tests_as_tap() { # BUILD_DIR MESON_TEST_OPTION...
  local dir=$1
  shift
  # Meson would take the results of an earlier run for those of a program that crashes.
  rm -f "$dir/meson-logs/testlog.junit.xml" "$dir"/*.xml
  # Timeouts only end programs that hang, within the time of CI: a busy machine is many times slower than an idle one.
  meson test -C "$dir" --no-rebuild --timeout-multiplier 10 "$@" >out/logs/meson-test.log 2>&1 || true
  [ -e "$dir/meson-logs/testlog.junit.xml" ] || { tail -n 20 out/logs/meson-test.log; return 1; }
  scripts/junit-to-tap "$dir/meson-logs/testlog.junit.xml"
}
