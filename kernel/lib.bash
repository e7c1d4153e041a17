# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-only
#
# What the scripts that build kernels share. The working directory is that of the repository.
# shellcheck disable=SC2034  # variables are for those who include this

# The patches that make the kernel: not the cover letter, which has nothing to apply, and not the selftests, of which it has nothing.
code_patches() { find kernel/patches -name '0*.patch' ! -name '0000-*' ! -name '*-selftests-*' | sort; }

# Of these patches, what changes a file: a better message is no reason to build a kernel anew.
changes_of() { awk 'FNR == 1 { on = 0 } /^diff --git / { on = 1 } on && !/^index /' "$@"; }

linux_tarball() { echo "${TMM_LINUX_SOURCE:-/usr/src/linux-source-6.12.tar.xz}"; }

# unpack_source TARBALL TREE [PATCH]...: TREE must not exist. Returns 1 if a patch does not fit, with its name in $bad_patch.
unpack_source() {
  local tarball=$1 tree=$2 patch
  shift 2
  mkdir "$tree"
  echo "unpacking $tarball"
  tar -xf "$tarball" -C "$tree" --strip-components=1 || exit 1
  for patch in "$@"; do
    echo "applying ${patch##*/}"
    # patch(1) names the file that does not fit; --fuzz=0 because a series that fits only nearly wants a rebase.
    patch -d "$tree" -p1 --fuzz=0 --no-backup-if-mismatch <"$patch" || { bad_patch=$patch; return 1; }
  done
}

# use_ccache FOLDER: sets CC for make; what is compiled is kept in FOLDER/ccache.
use_ccache() {
  CC=gcc
  if command -v ccache >/dev/null; then
    CC="ccache gcc"
    export CCACHE_DIR=$1/ccache CCACHE_MAXSIZE=2G
  fi
}
