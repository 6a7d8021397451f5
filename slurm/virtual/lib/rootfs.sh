# Sourced by cluster: the root file system that all nodes share, and nuce built for it.
# shellcheck shell=bash

suite=trixie
# Packages that run on the nodes, then those to build nuce, then further ones for the tests of its
# kernels.
packages=(mpich openmpi-bin slurmd slurmctld slurm-client slurm-wlm-basic-plugins munge iproute2 procps
cmake gcc git libarchive-dev libc6-dev libjansson-dev libmetis-dev libmpich-dev libopenmpi-dev libpapi-dev
liblzma-dev libsmartcols-dev libsqlite3-dev libyaml-dev nettle-dev ninja-build pkgconf zlib1g-dev
libcmocka-dev python3)

declare -r suite packages

# contained COMMAND...: runs it in mount and process namespaces of its own that end with us, even
# when we are killed: no process or mount stays behind. It runs in the background, with a wait, so
# that signals to us are received meanwhile.
contained() {
    setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc "$@" &
    wait $!
}

make_root() {
    contained env LC_ALL=C debootstrap --variant=minbase --force-check-gpg "$suite" "$1" &&
        contained "$BASH" "$here/lib/install.sh" "$1" "${packages[@]}"
}

# If no mirror answers, this machine does not allow a root (77); any other error is a failure.
say_no_root() {
    tail -n 20 "$cache/root.log" >&2
    rm -rf --one-file-system "$root.partial"
    ! grep -q '^E: Failed getting release file' "$cache/root.log" ||
        die 77 "no mirror of Debian answers, so the root file system is missing; see $cache/root.log"
    die 1 "the root file system could not be made; see $cache/root.log"
}

# ensure_root: sets root, the folder, whose name follows from the list of packages: another list makes another root. It
# is made under another name and renamed when complete; only one process at a time does this.
ensure_root() {
    local key
    key=$(printf '%s\n' "$suite" "${packages[@]}" | sha256sum)
    root=$cache/root-$suite-${key:0:12}
    [ ! -d "$root" ] || return 0
    need_program debootstrap debootstrap
    mkdir -p "$cache"
    exec {lock}>"$cache/lock"
    flock "$lock"
    if [ ! -d "$root" ]; then
        say "making the root file system $root (Debian $suite, once; some minutes)"
        rm -rf --one-file-system "$cache"/root-*.partial
        make_root "$root.partial" >"$cache/root.log" 2>&1 || say_no_root
        rm -f "$cache/root.log"
        mv "$root.partial" "$root"
    fi
    exec {lock}>&-
}

# The folder of the sources' history if the project is a linked worktree: a build asks git for the
# revision. Empty if the project's folder contains it, or there is none.
history_folder() {
    local folder
    folder=$(git -C "$project" rev-parse --path-format=absolute --git-common-dir 2>/dev/null) || return 0
    case $folder/ in
    "$project"/*) ;;
    *) printf '%s\n' "$folder" ;;
    esac
}

# As on a cluster, the nodes' programs are compiled against their own libraries.
build_nuce() {
    local log=$state.build.log history
    history=$(history_folder)
    say "building nuce for the nodes in ${build#"$project"/}"
    mkdir -p "$build"
    contained "$BASH" "$here/lib/enter.sh" "$root" "$project" "$project" ${history:+"$history" "$history"} -- \
        /bin/bash "$here/lib/build.sh" "$project" "$build" "${root##*/}" >"$log" 2>&1 || {
        tail -n 30 "$log" >&2
        rm -f "$log"
        die 1 "nuce could not be built for the nodes"
    }
    rm -f "$log"
}

# lend_libraries BUILD: copies the libraries of this machine that the programs of the build need and the root file
# system lacks, for example with another Debian's PAPI, to $state/lent, which nodes see above the root. Libraries that
# both have are omitted: the programs run with the nodes' own, MPI above all. A build of one MPI has no folder mpi.
lend_libraries() {
    local library folder
    { ldd "$1"/bin/nuce* "$1"/mpi/*/bin/nuce* 2>/dev/null || :; } | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
        while IFS= read -r library; do
            [ ! -e "$root$library" ] || continue
            folder=$state/lent$(readlink -f "${library%/*}")
            mkdir -p "$folder"
            cp -L "$library" "$folder"
        done
}
