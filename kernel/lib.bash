# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-only
#
# Functions of the scripts that build kernels. They run in the repository's top folder.
# shellcheck disable=SC2034  # scripts that include this read the variables

# code_patches [RELEASE]: the patches for Linux 6.12, or those ported to RELEASE; not that of selftests_folder.
code_patches() {
  local folder=kernel/patches
  [ "${1-6.12}" = 6.12 ] || folder+=/linux-$1
  find "$folder" -maxdepth 1 -name '0*.patch' ! -name '*-selftests-tmm-*' | sort
}

# In the kernel. The patches of this tree do not have these files: kernel/selftests is their only copy here.
selftests_folder=tools/testing/selftests/tmm

# copy_selftests TREE: makes the folder of the selftests in a kernel's tree that of this one.
copy_selftests() {
  local folder=$1/$selftests_folder
  mkdir -p "$folder"
  find "$folder" -type f -delete
  cp kernel/selftests/* kernel/selftests/.gitignore "$folder/"
}

# complete_series FOLDER: writes the patches with the selftests in theirs. Only the summary in its message lacks them. FOLDER must not exist.
complete_series() {
  local folder=$1 tree file
  mkdir "$folder"
  cp kernel/patches/*.patch "$folder/"
  tree=$(mktemp -d)
  copy_selftests "$tree"
  # Every file differs from none, and git says so by its status.
  (cd "$tree" && find . -type f -printf '%P\n' | LC_ALL=C sort | while read -r file; do
    git diff --no-index --no-color --no-ext-diff --abbrev=9 --src-prefix=a/ --dst-prefix=b/ /dev/null "$file" || [ $? = 1 ]
  done) >>"$(echo "$folder"/*-selftests-*.patch)"
  rm -rf "$tree"
}

# changes_of PATCH...: the diffs without the messages, so that a new message does not cause a new build.
changes_of() { awk 'FNR == 1 { on = 0 } /^diff --git / { on = 1 } on && !/^index /' "$@"; }

linux_tarball() { echo "${TMM_LINUX_SOURCE:-/usr/src/linux-source-${1-6.12}.tar.xz}"; } # [RELEASE]

# unpack_source TARBALL TREE [PATCH]...: TREE must not exist. If a patch does not apply, returns 1 and sets $bad_patch to its name.
unpack_source() {
  local tarball=$1 tree=$2
  shift 2
  mkdir "$tree"
  echo "unpacking $tarball"
  tar -xf "$tarball" -C "$tree" --strip-components=1 || exit 1
  apply_patches "$tree" "$@"
}

apply_patches() { # TREE [PATCH]...: as unpack_source
  local tree=$1 patch
  shift
  for patch in "$@"; do
    echo "applying ${patch##*/}"
    # patch(1) names the file that fails. No fuzz: a series that only nearly applies needs a rebase.
    patch -d "$tree" -p1 --fuzz=0 --no-backup-if-mismatch <"$patch" || { bad_patch=$patch; return 1; }
  done
}

# --- The shared tree
#
# A build leaves its tree in the cache. The next build takes it, changes the patches, and make rebuilds the objects that are out of date:
# `tmm` needs no second unpacking, none of the programs of the build, and three quarters of the objects. A rename takes or leaves the
# tree, so that it has one user at most. It holds these files of ours:
#   .tmm-source    the hash of the tarball; written after unpacking
#   .tmm-series/   the patches applied
#   .tmm-changing  exists while patches change; a tree that was interrupted there is thrown away
#   .tmm-path      the path that commands of the build contain

# Leaves out two thirds of the source: code of drivers and architectures that neither kernel/build nor kernel/kunit compiles. Their
# Kconfig files and Makefiles stay, because others include them.
unpack_shared() { # TARBALL TREE
  local tarball=$1 tree=$2 folder excluded=()
  for folder in drivers/{gpu,infiniband,media,scsi,staging,usb} 'drivers/net/*' sound fs/{btrfs,xfs} \
    arch/{alpha,arc,arm,arm64,csky,hexagon,loongarch,m68k,microblaze,mips,nios2,openrisc,parisc,powerpc,riscv,s390,sh,sparc,xtensa}; do
    excluded+=(--exclude="linux*[0-9]/$folder/*.[chS]")
  done
  for folder in 'arch/*/boot/dts' Documentation/{devicetree,translations} tools/perf; do
    excluded+=(--exclude="linux*[0-9]/$folder")
  done
  mkdir "$tree"
  echo "unpacking $tarball"
  tar -xf "$tarball" -C "$tree" --strip-components=1 "${excluded[@]}" || exit 1
}

# take_tree FOLDER TARBALL TREE [PATCH]...: makes TREE the source with the patches: from TREE itself, the tree left in FOLDER, or the
# tarball. If a patch does not apply, returns 1 and sets $bad_patch to its name.
take_tree() {
  local folder=$1 tarball=$2 tree=$3 source
  shift 3
  source=$(sha256sum <"$tarball")
  [ -e "$tree" ] || mv -T "$folder/linux-tree" "$tree" 2>/dev/null || true
  if [ -e "$tree/.tmm-changing" ] || [ "$(cat "$tree/.tmm-source" 2>/dev/null)" != "$source" ]; then
    rm -rf "$tree"
    unpack_shared "$tarball" "$tree"
    mkdir "$tree/.tmm-series"
    echo "$source" >"$tree/.tmm-source"
  fi
  adapt_path "$tree"
  change_series "$tree" "$@"
}

# The objects of the kernel's tools have commands with absolute paths. make would rebuild them after the tree has moved, and then the whole
# kernel, because each of its objects depends on objtool.
adapt_path() { # TREE
  local new old=
  new=$(realpath "$1")
  [ ! -e "$1/.tmm-path" ] || old=$(<"$1/.tmm-path")
  if [ -n "$old" ] && [ "$old" != "$new" ]; then
    grep -rlZF --include='.*.cmd' "$old/" "$1" | xargs -0 -r sed -i "s,$old/,$new/,g"
  fi
  echo "$new" >"$1/.tmm-path"
}

# leave_tree FOLDER TREE: replaces the tree that was left before.
leave_tree() {
  local old
  old=$(mktemp -d "$1/linux-tree.XXXXXX")
  mv -T "$1/linux-tree" "$old" 2>/dev/null || true
  # another build may have been faster
  mv -T "$2" "$1/linux-tree" 2>/dev/null || true
  # Also those of a leave_tree that was interrupted.
  rm -rf "$2" "$1"/linux-tree.*
}

# change_series TREE [PATCH]...: reverts the applied patches and applies these. A file with unchanged content keeps its time, so that
# make does not rebuild for it.
change_series() {
  local tree=$1 applied=$1/.tmm-series before=$1/.tmm-before old patch file
  shift
  mapfile -t old < <(find "$applied" -name '*.patch' | sort -r)
  if [ "$(cat "$@" </dev/null | sha256sum)" = "$(printf '%s\n' "${old[@]}" | sort | xargs -r cat | sha256sum)" ]; then
    return
  fi
  touch "$tree/.tmm-changing"
  rm -rf "$before"
  mkdir "$before"
  sed -n 's,^+++ b/,,p' "$@" "${old[@]}" </dev/null | sort -u | while read -r file; do
    [ ! -e "$tree/$file" ] || (cd "$tree" && cp -p --parents "$file" .tmm-before/)
  done
  for patch in "${old[@]}"; do
    patch -s -R -d "$tree" -p1 --fuzz=0 --no-backup-if-mismatch <"$patch" || { echo "cannot revert ${patch##*/}"; exit 1; }
  done
  rm -f "$applied"/*.patch
  apply_patches "$tree" "$@" || return 1
  [ $# = 0 ] || cp "$@" "$applied/"
  (cd "$before" && find . -type f) | while read -r file; do
    if cmp -s "$before/$file" "$tree/$file"; then touch -r "$before/$file" "$tree/$file"; fi
  done
  rm -rf "$before" "$tree/.tmm-changing"
}

# use_ccache FOLDER: sets CC for make. ccache keeps objects in FOLDER/ccache.
use_ccache() {
  CC=gcc
  if command -v ccache >/dev/null; then
    CC="ccache gcc"
    # In depend mode ccache hashes the headers instead of preprocessing each file first.
    export CCACHE_DIR=$1/ccache CCACHE_MAXSIZE=2G CCACHE_DEPEND=1
  fi
}
