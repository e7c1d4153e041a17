# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The owner's programs in the guest: functions for scripts that run there. The host writes the parameters of the run into
# `run-settings`.
tools=/opt/tmm
# shellcheck source=/dev/null
. $tools/run-settings
cgroups=/sys/fs/cgroup
results=/results
declare -A pid_of=()

fail() {
  echo "${0##*/}: $*" >&2
  exit 1
}

# A read with a timeout, since sleep(1) would come from a busy disk at the worst moments.
mkfifo /run/never
exec {never}<>/run/never
wait_s() { read -rt "$1" -u "$never"; }

# Prints the time without a new process, which would wait for memory at the worst moments.
uptime_s() {
  local uptime
  read -r uptime _ </proc/uptime
  echo "$uptime${1:+ $1}"
}

phase() {
  echo "$1" >/run/phase
  uptime_s "$1" >>$results/phases
}

# start NAME CGROUP COMMAND...: runs it in the background in that cgroup, with its output in /results/NAME.log.
start() {
  local name=$1 cgroup=$2
  shift 2
  (
    echo "$BASHPID" >"$cgroups/$cgroup/cgroup.procs" || exit 125
    exec "$@"
  ) >"$results/$name.log" 2>&1 &
  pid_of[$name]=$!
}

# wait_for_file NAME FILE: until the program has made it.
wait_for_file() {
  local left=$((LOAD_LIMIT_S * 5))
  while [ ! -e "$2" ]; do
    must_run "$1"
    [ $((left--)) -gt 0 ] || fail "the program $1 was not loaded within $LOAD_LIMIT_S s"
    wait_s 0.2
  done
}

must_run() {
  kill -0 "${pid_of[$1]}" 2>/dev/null || fail "$1 has ended too early: see $1.log"
}

# end NAME SECONDS: asks it to end, and kills it after that time.
end() {
  local pid=${pid_of[$1]} left=$(($2 * 5))
  kill -TERM "$pid" 2>/dev/null
  while kill -0 "$pid" 2>/dev/null && [ $((left--)) -gt 0 ]; do wait_s 0.2; done
  kill -KILL "$pid" 2>/dev/null && echo "${0##*/}: $1 did not end within $2 s" >&2
}

set_up_cgroups() {
  # As systemd mounts it.
  mount -o remount,memory_recursiveprot $cgroups || fail "cannot remount the cgroups"
  mkdir -p $cgroups/{owner,harness,transparent.slice} || fail "cannot make the cgroups"
  for parent in owner transparent.slice; do
    echo +memory >$cgroups/$parent/cgroup.subtree_control || fail "cannot enable the memory controller in $parent"
  done
  mkdir -p $cgroups/owner/{app,desktop,left,files,nightly,new} $cgroups/transparent.slice/contribution \
    || fail "cannot make the cgroups"
  # As in the slice that TMM installs, in all systems: cgroups share the processor before their processes do.
  echo 1 >$cgroups/transparent.slice/cpu.idle || fail "cannot set transparent.slice's processor share"
  echo $$ >$cgroups/harness/cgroup.procs || fail "cannot enter the harness's cgroup"
}

start_owner() {
  start desktop owner/desktop $tools/owner-workload --pattern loop --mb 8 --batch 2048 --think-ms 1000
  start owner owner/app bash -c "$OWNER_COMMAND"
  [ "$OWNER_SIGNALS_READY" = 1 ] || return 0
  wait_for_file owner /run/owner-ready
}

# read_once NAME MB: in the background, in the owner's cgroup NAME. The home folder's "files" are the desktop's.
read_once() { start "$1" "owner/$1" $tools/read-once "/root/read-once-$1" "$2"; }

# Memory that is left and files that are read once; the working set that comes next then makes memory full.
fill_memory() {
  start left owner/left bash -c "$LEFT_COMMAND"
  wait_for_file left /run/left-ready
  read_once files "$FILES_MB"
  wait "${pid_of[files]}" || fail "the files cannot be read: see files.log"
}
