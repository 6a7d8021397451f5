# Sourced by cluster: network namespaces, bridges, links and their rates. All interfaces are inside
# our own namespaces, so their short names cannot conflict. In the switch namespace, bridge s<i> is
# switch i, p<i> the port to node n<i>, and pc the port to control. u<i> is the link of switch i
# upwards, and d<i> its other end.
# shellcheck shell=bash

switches=$name-switch
# The mount of all namespaces is made with the first and removed with the last, so clusters are
# started and ended one at a time.
netns_lock=/run/nuce-netns.lock

# namespace NODE: its network namespace.
namespace() {
    printf '%s-%s\n' "$name" "$1"
}

# our_namespaces: the existing ones.
our_namespaces() {
    local each
    for each in /run/netns/"$name"-*; do
        each=${each##*/}
        [[ ! ${each#"$name"-} =~ ^(n[0-9]+|control|switch)$ ]] || printf '%s\n' "$each"
    done
}

# address NODE
address() {
    local index=${1#n}
    [ "$1" = control ] && printf '10.77.255.1\n' && return
    printf '10.77.%d.%d\n' $((index / 250)) $((index % 250 + 1))
}

port() {
    [ "$1" = control ] && printf 'pc\n' && return
    printf 'p%s\n' "${1#n}"
}

write_hosts() {
    local i
    {
        printf '127.0.0.1 localhost\n%s control\n' "$(address control)"
        for ((i = 0; i < $1; i++)); do
            printf '%s n%d\n' "$(address "n$i")" "$i"
        done
    } >"$state/conf/hosts"
}

# default_topology NODES: two switches below one.
default_topology() {
    local i nodes=$1
    printf 'root spine\nedge leaf0 spine 0\n'
    [ "$nodes" = 1 ] || printf 'edge leaf1 spine 0\n'
    for ((i = 0; i < nodes; i++)); do
        printf 'node %d leaf%d\n' "$i" $((i >= (nodes + 1) / 2))
    done
}

# buffer: the bytes of each queue in front of a port, 0 if no packet is dropped.
buffer() {
    cat "$state/buffer" 2>/dev/null || echo 0
}

# uplink DEVICE RATE: tc's lines for a link between switches. Without --buffer the queue holds all data that
# nodes can have under way (see node-init.sh), so nothing is dropped; acknowledgements go first (rates.awk).
uplink() {
    awk -v me=-1 -v way=dst -v dev="$1" -v buffer="$(buffer)" -f "$here/lib/rates.awk" \
        <<<"port -1 $2 $2"
    [ "$(buffer)" != 0 ] || printf 'qdisc add dev %s parent 1:2 pfifo limit 100000\n' "$1"
}

# The switches, numbered in $state/switches, and the links between them.
make_switches() {
    local kind a b bits index
    local -A index_of=()
    awk '$1 == "root" || $1 == "edge" { print $2, count++ }' "$state/topology" >"$state/switches"
    while read -r a index; do
        index_of[$a]=$index
        printf 'link add s%d type bridge mcast_snooping 0\nlink set s%d up\n' "$index" "$index"
    done <"$state/switches" >"$state/batch"
    while read -r kind a b bits; do
        [ "$kind" = edge ] || continue
        index=${index_of[$a]}
        printf 'link add u%d mtu 9000 type veth peer name d%d mtu 9000\n' "$index" "$index"
        printf 'link set u%d master s%d up\n' "$index" "$index"
        printf 'link set d%d master s%d up\n' "$index" "${index_of[$b]}"
    done <"$state/topology" >>"$state/batch"
    flock "$netns_lock" ip netns add "$switches"
    ip -n "$switches" -batch "$state/batch"
    while read -r kind a b bits; do
        [[ $kind == edge && $bits != 0 ]] || continue
        uplink "u${index_of[$a]}" "$bits"
        uplink "d${index_of[$a]}" "$bits"
    done <"$state/topology" | tc -n "$switches" -batch -
}

# bridge_of NODE: control is at the root.
bridge_of() {
    local at
    at=$(awk -v node="$1" '
        $1 == "root" && node == "control" { print $2 }
        $1 == "node" && "n" $2 == node { print $3 }' "$state/topology")
    awk -v at="$at" '$1 == at { print "s" $2 }' "$state/switches"
}

# connect NODE: its namespace and its cable. The kernel must not join packets: a rate limit passes a
# packet as a whole as soon as it may begin, and 64 KiB without delay would be a negative startup
# time. If packets are dropped, they have the length of Ethernet's, and TCP sends again after its
# usual time.
connect() {
    local node=$1 space port mtu=9000 again='rto_min 1s'
    [ "$(buffer)" = 0 ] || mtu=1500 again=
    space=$(namespace "$node")
    port=$(port "$node")
    flock "$netns_lock" ip netns add "$space"
    ip -n "$switches" -batch - <<EOT
link add $port mtu $mtu type veth peer name eth0 mtu $mtu netns $space
link set $port master $(bridge_of "$node") up
EOT
    ip -n "$space" -batch - <<EOT
link set lo up
address add $(address "$node")/16 brd + dev eth0
link set eth0 gso_max_size $mtu gso_max_segs 1 up
route change 10.77.0.0/16 dev eth0 proto kernel scope link src $(address "$node") $again
EOT
}

# shape NODE: applies the rates of $state/links, to its own interface for sending, and to its port
# for receiving. Traffic without a rate in the file is not limited.
shape() {
    local node=$1 space port delays
    [ -s "$state/links" ] || return 0
    space=$(namespace "$node")
    port=$(port "$node")
    delays=$(cat "$state/delays")
    tc -n "$space" qdisc del dev eth0 root 2>/dev/null || :
    tc -n "$switches" qdisc del dev "$port" root 2>/dev/null || :
    awk -v me="${node#n}" -v way=dst -v dev=eth0 -v delays="$delays" -f "$here/lib/rates.awk" \
        "$state/links" | tc -n "$space" -batch -
    awk -v me="${node#n}" -v way=src -v dev="$port" -v buffer="$(buffer)" -f "$here/lib/rates.awk" \
        "$state/links" | tc -n "$switches" -batch -
}

# describe_network: the current rates, which nodes read as /etc/slurm/network: with other rates it
# is another machine. Links that are not named are unlimited.
describe_network() {
    local links=/dev/null
    [ ! -e "$state/links" ] || links=$state/links
    {
        awk -v delays="$(cat "$state/delays" 2>/dev/null)" '
            $1 == "pair" && delays == "yes" && $5 > 0 { print "pair", $2, $3, $4 " bit/s", $5 " us"; next }
            $1 == "pair" { print "pair", $2, $3, $4 " bit/s" }
            $1 == "port" { print "port", $2, "out", $3 " bit/s", "in", $4 " bit/s" }' "$links"
        cat "$state/speeds"
        [ "$(buffer)" = 0 ] || printf 'buffer %s bytes\n' "$(buffer)"
    } | sort >"$state/conf/network.new"
    mv "$state/conf/network.new" "$state/conf/network"
}

# read_links FILE NODES: checks the file and prints it in one form.
read_links() {
    [[ -r $1 && ! -d $1 ]] || die 2 "$1: cannot be read; expected a network file"
    awk -v file="$1" -v nodes="$2" -v only="${3:-}" -f "$here/lib/network-file.awk" "$1"
}

# use_links LINES: keeps them for `shape`. Prints once if startup times are impossible.
use_links() {
    printf '%s\n' "$1" >"$state/links"
    if unshare --net tc qdisc add dev lo root netem delay 1ms 2>/dev/null; then
        echo yes >"$state/delays"
    else
        echo no >"$state/delays"
        ! awk '$1 == "pair" && $5 > 0 { found = 1 } END { exit !found }' "$state/links" ||
            say "startup times are ignored: this kernel has no netem to delay packets with"
    fi
}
