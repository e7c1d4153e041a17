# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Functions of the scripts in packaging/, which run in the top folder of the repository.

# shellcheck source=/dev/null
host_release() { (. /etc/os-release && [ "$ID" = debian ] && echo "${VERSION_CODENAME:-}"); }

# The number in the versions of packages.
release_number() { # RELEASE
  case $1 in
    bookworm) echo 12 ;;
    trixie) echo 13 ;;
    *) echo "packaging/${0##*/}: --release is bookworm or trixie, not '$1'" >&2; return 1 ;;
  esac
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

# Unpacks a minimal Debian into a new folder and prints its path. remove_root removes it.
new_root() { # RELEASE DEPENDENCIES
  local product root
  product=$(scripts/cached -f packaging/bootstrap -f scripts/debian-mirrors "packages-$1" -- packaging/bootstrap "$1" "$2") || return 1
  root=$(mktemp -d "${TMPDIR:-/var/tmp}/tmm-packages.XXXXXX") || return 1
  as_root tar -C "$root" -xpf "$product/root.tar" --numeric-owner || return 1
  echo "$root"
}
remove_root() { [ -z "$1" ] || as_root rm -rf --one-file-system "$1"; }

# Runs a command in a root file system that has no network and does not share the machine's processes and mounts.
inside() { # ROOT COMMAND...
  # shellcheck disable=SC2016  # the inner shell expands it
  as_root unshare --mount --pid --ipc --uts --net --fork --kill-child -- sh -c '
    root=$1
    shift
    mount -t proc proc "$root/proc" && mount -t tmpfs tmpfs "$root/run" && mount -t tmpfs tmpfs "$root/tmp" &&
      exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"' sh "$@"
}
