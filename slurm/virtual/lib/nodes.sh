# Sourced by cluster: nodes as processes. A node is its first process, and all others in its process
# namespace end with it; $state/node/NODE has its id.
# shellcheck shell=bash

# check_node NODE: checks that it is one of ours.
check_node() {
    # Bad input, because another try would fail in the same way.
    [ -d "$state" ] || die 2 "'$name' is not up (cluster up)"
    [ "$1" = control ] || [[ $1 =~ ^n(0|[1-9][0-9]{0,2})$ && ${1#n} -lt $(cat "$state/nodes") ]] ||
        die 2 "'$1': expected a node, n0 to n$(($(cat "$state/nodes") - 1)), or control"
}

all_nodes() {
    local i
    for ((i = 0; i < $(cat "$state/nodes"); i++)); do
        printf 'n%d\n' "$i"
    done
}

# cpu_cgroup: the folder below which shares of the processor are assigned; fails without one.
cpu_cgroup() {
    awk '$3 == "cgroup" && ("," $4 ",") ~ /,cpu,/ { print $2; found = 1; exit }
        END { exit !found }' /proc/mounts && return
    local unified
    unified=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
    grep -qw cpu "$unified/cgroup.controllers" 2>/dev/null && printf '%s\n' "$unified"
}

# throttle NODE SPEED: a cgroup that gets this part of the node's processors. The period is short,
# so that a slow node is slow and not mostly stopped. In the folder of all nodes each node weighs as
# ten processes, so that the limit decides and not other load on this machine; otherwise all nodes
# together would get the share of one process.
throttle() {
    local folder times top weight
    weight=$(grep -c '^speed ' "$state/speeds")
    top=$(cpu_cgroup) || die 1 "no cgroup with a cpu controller is mounted: --speeds needs one"
    folder=$top/$name-cluster/$1
    times=$(awk -v cpus="$(cat "$state/cpus")" -v speed="$2" 'BEGIN {
        part = cpus * speed
        period = part * 20000 < 1000 ? 1000 / part : 20000
        printf "%d %d\n", period * part + 0.5, period + 0.5 }')
    if [ -e "$top/cgroup.controllers" ]; then
        echo +cpu >"$top/cgroup.subtree_control"
        mkdir -p "$top/$name-cluster"
        echo "$((weight > 10 ? 10000 : weight * 1000))" >"$top/$name-cluster/cpu.weight"
        echo +cpu >"$top/$name-cluster/cgroup.subtree_control"
        mkdir -p "$folder"
        echo "$times" >"$folder/cpu.max"
    else
        mkdir -p "$folder"
        echo "$((weight > 25 ? 262144 : weight * 10240))" >"$top/$name-cluster/cpu.shares"
        echo "${times#* }" >"$folder/cpu.cfs_period_us"
        echo "${times% *}" >"$folder/cpu.cfs_quota_us"
    fi
}

throttle_all() {
    local kind i speed
    while read -r kind i speed; do
        [ "$kind" != speed ] || throttle "n$i" "$speed"
    done <"$state/speeds"
}

# node_cgroup NODE: sets REPLY to it; empty if the node is not throttled.
node_cgroup() {
    REPLY=
    [ ! -s "$state/speeds" ] || ! grep -q "^speed ${1#n} " "$state/speeds" || REPLY=$(cpu_cgroup)/$name-cluster/$1
}

# start_node NODE: network, rates, and its first process; does not wait for its daemons.
start_node() {
    local node=$1 cgroup share mounts=()
    node_cgroup "$node"
    cgroup=$REPLY
    connect "$node"
    [ "$node" = control ] || shape "$node"
    while IFS= read -r share; do
        mounts+=("$share" "$share")
    done <"$state/shares"
    mounts+=("$state/conf" /etc/slurm "$state/conf/hosts" /etc/hosts)
    mounts+=("$state/munge.key" /run/munge.key)
    [ "$node" != control ] || mounts+=("$state/slurmctld" /var/spool/slurmctld)
    rm -f "$state/node/$node"
    setsid nsenter --net="/run/netns/$(namespace "$node")" \
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C \
        unshare --mount --uts --ipc --pid --fork --kill-child \
        "$BASH" "$here/lib/node.sh" "$state/node/$node" "$cgroup" \
        "$state/lent:$(cat "$state/root")" "${mounts[@]}" -- /bin/bash "$here/lib/node-init.sh" "$node" \
        </dev/null >>"$state/log/$node.log" 2>&1 &
    # bash must not announce its end.
    disown
}

# end_processes NAMESPACE...: kills all processes in them and waits until they have ended.
end_processes() {
    local -A killed=() # the start of each by its number: another process may get the number
    within 120 kill_round "$@" ||
        die 1 "processes do not end: $(ps -o pid=,stat=,wchan=,args= -p "$(IFS=, && echo "${!killed[*]}")")"
}

# One round; adds to `killed` of its caller. An ending process leaves its namespace before it is
# gone, and a starting one may appear later.
kill_round() {
    local space pid start
    for space in "$@"; do
        for pid in $(ip netns pids "$space" 2>/dev/null); do
            started "$pid" || continue
            start=$REPLY
            # The others of a node end with its first process, and their numbers may be another's by now.
            [ "/proc/$pid/ns/net" -ef "/run/netns/$space" ] || continue
            kill -9 "$pid" 2>/dev/null || :
            killed[$pid]=$start
        done
    done
    for pid in "${!killed[@]}"; do
        ! started "$pid" || [ "$REPLY" != "${killed[$pid]}" ] || return 1
        unset "killed[$pid]"
    done
}

# kill_node NODE: like a power failure: its processes end without a message, and no packet comes
# back.
kill_node() {
    local space
    space=$(namespace "$1")
    ip -n "$switches" link del "$(port "$1")" 2>/dev/null || :
    end_processes "$space"
    ip netns del "$space" 2>/dev/null || :
}

# inside NODE FOLDER COMMAND ARGUMENT...: runs the command in the node; it ends when this process is
# ended.
inside() {
    local pid node=$1 folder=$2
    shift 2
    alive "$state/node/$node" || die 1 "$node is dead (cluster revive $node)"
    read -r pid _ <"$state/node/$node"
    setpriv --pdeathsig TERM nsenter --target "$pid" --mount --uts --ipc --net --pid \
        --wdns="$folder" /usr/bin/setpriv --pdeathsig TERM "$@"
}

# enter: the same by replacing this process, so that its exit status and signals are ours; does not
# return.
enter() {
    local pid node=$1 folder=$2
    shift 2
    alive "$state/node/$node" || die 1 "$node is dead (cluster revive $node)"
    read -r pid _ <"$state/node/$node"
    node_cgroup "$node"
    [ -z "$REPLY" ] || echo $$ >"$REPLY/cgroup.procs"
    exec nsenter --target "$pid" --mount --uts --ipc --net --pid --wdns="$folder" \
        /usr/bin/setpriv --pdeathsig TERM "$@"
}

# is_shared: true if the nodes have the current folder too; makes PWD its name without symbolic links.
is_shared() {
    local share
    cd -P .
    while IFS= read -r share; do
        case $PWD/ in
        "$share"/*) return ;;
        esac
    done <"$state/shares"
    return 1
}

need_shared_folder() {
    is_shared || die 2 "'$PWD' is not a folder that the nodes share; go to one, or name it with up --share: $(tr '\n' ' ' <"$state/shares")"
}
