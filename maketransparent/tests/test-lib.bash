# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# TAP and a sandbox for the tests that source this file. The sandbox, or cell, is a cgroup that the test sees as the root of the
# tree (cgroup namespace). It has cgroup v2 on /sys/fs/cgroup and an empty /run (mount namespace). It needs root, no controllers.
# After enter_cell, $work is a scratch directory, $mt the program and $cg the root of the tree.
set -u

skip_all() { echo "1..0 # SKIP $1"; exit 0; }

# Runs a command in a mount namespace of its own. The kernel cannot make the mounts private (EINVAL) in a chroot whose root is no
# mount point; they remain unchanged there.
in_new_mounts() {
    local propagation=private
    unshare -m true 2> /dev/null || propagation=unchanged
    unshare -m --propagation "$propagation" "$@"
}

# Runs the calling script again inside a new cell and exits; inside, it returns. Usage: enter_cell PROGRAM
enter_cell() {
    case ${STAGE:-outside} in
    outside)
        [[ $# -eq 1 && -x $1 ]] || { echo "usage: $0 PROGRAM" >&2; exit 2; }
        [[ $EUID -eq 0 ]] || skip_all "needs root"
        command -v setpriv > /dev/null && command -v script > /dev/null || skip_all "needs setpriv and script"
        work=$(mktemp -d /tmp/maketransparent-test-XXXXXX) || exit 1
        trap 'rm -rf "$work"' EXIT
        chmod 755 "$work" && mkdir "$work/outer" && install -m 755 "$1" "$work/maketransparent" || exit 1
        STAGE=mounts in_new_mounts "$0" "$work"
        exit;;
    mounts)
        work=$1
        mount -t cgroup2 none "$work/outer" 2> /dev/null || skip_all "cgroup2 cannot be mounted"
        local cell=$work/outer/maketransparent-test-$$ status pids
        mkdir "$cell" || skip_all "no cgroup can be made"
        (echo $BASHPID > "$cell/cgroup.procs" && STAGE=inside exec unshare -C "$0" "$work")
        status=$?
        while pids=$(find "$cell" -name cgroup.procs -exec cat {} + 2> /dev/null); [[ -n $pids ]]; do
            kill -KILL $pids 2> /dev/null
        done
        find "$cell" -depth -type d -exec rmdir {} +
        exit $status;;
    esac
    work=$1
    cg=/sys/fs/cgroup
    mt=$work/maketransparent
    mount -t cgroup2 none $cg || skip_all "cgroup2 cannot be mounted in a cgroup namespace"
    mount -t tmpfs -o mode=755 none /run || skip_all "no tmpfs can be mounted"
    export HOME=$work/home
    mkdir "$HOME"
    # A directory without search permission would turn "not found" into "permission denied".
    export PATH=/usr/sbin:/usr/bin:/sbin:/bin
    unset XDG_CONFIG_HOME XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS STAGE
}

count=0 failures=0
# Runs a function as a test, which fails with the first command that fails (set -e). Prints its output then.
check() {
    local name=$1
    ((++count))
    # bash ignores set -e in a condition. A process left over would keep a pipe open, so the output goes to a file.
    (set -eE; trap 'echo "failed: $BASH_COMMAND"' ERR; "$2") > "$work/output" 2>&1 < /dev/null
    if [[ $? -eq 0 ]]; then
        echo "ok $count - $name"
    else
        ((++failures))
        echo "not ok $count - $name"
        sed 's/^/# /' "$work/output"
    fi
}
skip() { ((++count)); echo "ok $count - $1 # SKIP $2"; }
# Runs a command, which must exit with this status. Its output stays in $out. Usage: expect STATUS COMMAND...
expect() {
    local wanted=$1 got=0
    shift
    out=$("$@" 2>&1) || got=$?
    [[ $got -eq $wanted ]] || { echo "status $got instead of $wanted: $out"; return 1; }
}
says() { [[ $out == *"$1"* ]] || { echo "'$out' does not say '$1'"; return 1; }; }
same() { [[ $1 == "$2" ]] || { printf 'expected: %s\nis:       %s\n' "$1" "$2"; return 1; }; }
cgroup_of() { sed -n 's/^0:://p' "/proc/$1/cgroup"; }
# Starts a process to be marked. Its id is in $victim, and its name is sleep once it has replaced the shell.
start_victim() { sleep 1000 < /dev/null &> /dev/null & victim=$!; await grep -qx sleep /proc/$victim/comm; }
# Repeats a command until it succeeds; the bound only ends a broken test.
await() { for _ in {1..1000}; do "$@" && return; sleep 0.01; done; echo "never happened: $*"; return 1; }

finish() {
    echo "1..$count"
    exit $((failures > 0))
}
