# Sourced by cluster: messages, names and places, and the permissions that this machine must give.
# shellcheck shell=bash

project=${here%/*/*}
# The name of this cluster; namespaces, cgroup and state have this name, so two clusters can run side by side. The
# default is made of the project's folder, so that clusters of other users are not touched. All share the folder of
# the root file systems.
folder_name() {
    local base=${project##*/}
    base=${base//[^A-Za-z0-9]/}
    printf 'nuce-%.12s-%s\n' "$base" "$(printf %s "$project" | cksum | cut -d ' ' -f 1)"
}
name=${NUCE_CLUSTER:-$(folder_name)}
state=/run/$name-cluster
cache=${NUCE_CACHE:-/var/cache/nuce}
build=$project/build/virtual
declare -r name state cache project build

say() {
    printf 'cluster: %s\n' "$*" >&2
}

# die STATUS MESSAGE...: 1 failed, 2 bad input or usage, 77 this machine does not allow it.
die() {
    local status=$1
    shift
    say "$*"
    exit "$status"
}

# owner: the user that brought the cluster up, from where, and when.
owner() {
    cat "$state/owner" 2>/dev/null || printf 'somebody\n'
}

# usage MESSAGE...
usage() {
    die 2 "$* (cluster --help)"
}

check_name() {
    [[ $name =~ ^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$ ]] ||
        die 2 "NUCE_CLUSTER='$name': expected 1 to 32 letters, digits, - or _"
}

need_root() {
    [ "$EUID" = 0 ] || die 77 "not root: network namespaces and mounts need it"
}

# need_program PROGRAM PACKAGE
need_program() {
    command -v "$1" >/dev/null || die 77 "no program $1 (Debian, Ubuntu: $2)"
}

# allowed WHAT COMMAND...: tries the command.
allowed() {
    local what=$1 output
    shift
    output=$("$@" 2>&1) || die 77 "this machine does not let root $what: ${output##*$'\n'}"
}

# The requirements for making and entering a root file system. They are really tried, in namespaces that
# end with the attempt, which tests both capabilities and kernel options.
check_room_rights() {
    need_root
    need_program unshare util-linux
    need_program setpriv util-linux
    need_program flock util-linux
    allowed "make mount and process namespaces" \
        unshare --mount --uts --ipc --pid --fork --mount-proc true
    # shellcheck disable=SC2016 # expanded by the inner shell
    allowed "mount overlays" unshare --mount sh -euc '
        mount -t tmpfs none /mnt
        mkdir /mnt/upper /mnt/work /mnt/root
        mount -t overlay -o lowerdir=/usr,upperdir=/mnt/upper,workdir=/mnt/work none /mnt/root'
}

# The requirements of a cluster, tried in the same way.
check_rights() {
    check_room_rights
    need_program ip iproute2
    need_program tc iproute2
    need_program nsenter util-linux
    need_program pgrep procps
    allowed "make network namespaces" unshare --net true
    allowed "make bridges and veth pairs" unshare --net sh -euc '
        ip link add one type bridge
        ip link add two type veth peer name three'
    allowed "shape links (htb, u32)" unshare --net sh -euc '
        ip link add one type veth peer name two
        tc qdisc add dev one root handle 1: htb
        tc filter add dev one parent 1: protocol ip u32 match ip dst 10.0.0.1/32 flowid 1:1'
}

# started PID: sets REPLY to the start time of the process, in clock ticks since boot; together with its
# id it is unique. Fails when the process has ended, even if its parent has not collected its status yet.
started() {
    local stat
    { read -r stat </proc/"$1"/stat; } 2>/dev/null || return 1
    stat=${stat##*) }
    read -r -a stat <<<"$stat"
    [ "${stat[0]}" != Z ] || return 1
    REPLY=${stat[19]}
}

# alive FILE: true if the process in the file (id and start) runs.
alive() {
    local pid start
    { read -r pid start <"$1"; } 2>/dev/null && started "$pid" && [ "$REPLY" = "$start" ]
}

# within SECONDS COMMAND...: waits until the command succeeds, and tries it five times per second.
within() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.2
    done
}
