# Sourced by cluster: brings it up.
# shellcheck shell=bash

# count OPTION VALUE MOST
count() {
    [[ $2 =~ ^[1-9][0-9]{0,3}$ && $2 -le $3 ]] ||
        die 2 "$1 '$2': expected a number from 1 to $3"
}

# share_path DIR [OPTION]: its real path.
share_path() {
    local path option=${2:---share}
    path=$(readlink -e -- "$1") || path=""
    [ -d "$path" ] || die 2 "$option '$1': no such folder"
    [[ $path != *[[:cntrl:]:]* ]] || die 2 "$option '$1': expected a path without control characters or ':'"
    case $path in
    / | /bin | /boot | /dev | /etc | /lib* | /proc | /root | /run | /sbin | /sys | /tmp | /usr | /var)
        die 2 "$option '$1': every node has a $path of its own; expected a folder below" ;;
    esac
    printf '%s\n' "$path"
}

run_up() {
    local nodes=8 cpus=1 links="" buffer="" speeds="" topology="" with_build=yes given="" shares=() conf=()
    while [ $# -gt 0 ]; do
        case $1 in
        --no-build)
            with_build=no
            shift
            continue
            ;;
        --nodes | --cpus | --links | --buffer | --speeds | --topology | --build | --share | --conf) ;;
        *) usage "up: '$1': no such option" ;;
        esac
        [ $# -ge 2 ] || usage "up: $1: expected a value"
        case $1 in
        --nodes) nodes=$2 ;;
        --cpus) cpus=$2 ;;
        --links) links=$2 ;;
        --buffer) buffer=$2 ;;
        --speeds) speeds=$2 ;;
        --topology) topology=$2 ;;
        --build) given=$2 with_build=no ;;
        --share) shares+=("$2") ;;
        --conf) conf+=("$2") ;;
        esac
        shift 2
    done
    count --nodes "$nodes" 250
    count --cpus "$cpus" 1024
    check_conf ${conf[@]+"${conf[@]}"}

    # All mistakes in the input are reported before anything is made.
    local share paths=("$project") link_lines="" speed_lines="" tree
    for share in ${shares[@]+"${shares[@]}"}; do
        share=$(share_path "$share")
        paths+=("$share")
    done
    if [ -n "$given" ]; then
        given=$(share_path "$given" --build)
        [ -x "$given/bin/nuce" ] || die 2 "--build '$given': no bin/nuce there"
        paths+=("$given")
    fi
    [ -z "$links" ] || link_lines=$(read_links "$links" "$nodes")
    speed_lines=$(grep '^speed ' <<<"$link_lines") || :
    [ -z "$speeds" ] || speed_lines=$(read_links "$speeds" "$nodes" speeds)
    tree=$(read_topology "$topology" "$nodes")
    [ -z "$buffer" ] || check_buffer "$buffer" "$link_lines" "$tree"

    check_rights
    [ -z "$speed_lines" ] || cpu_cgroup >/dev/null ||
        die 1 "no cgroup with a cpu controller is mounted: --speeds needs one"
    take_place
    ensure_root
    [ "$with_build" = no ] || build_nuce
    mkdir "$state/lent"
    [ -z "$given" ] || lend_libraries "$given"
    printf '%s\n' "$root" >"$state/root"
    printf '%s\n' "$nodes" >"$state/nodes"
    printf '%s\n' "$cpus" >"$state/cpus"
    printf '%s\n' "${paths[@]}" >"$state/shares"
    printf '%s\n' "$tree" >"$state/topology"
    printf '%s' "${speed_lines:+$speed_lines$'\n'}" >"$state/speeds"
    [ -z "$buffer" ] || printf '%s\n' "$buffer" >"$state/buffer"
    [ -z "$links" ] || use_links "$link_lines"
    write_slurm_conf "$nodes" "$cpus" ${conf[@]+"${conf[@]}"}
    write_hosts "$nodes"
    describe_network
    start_all "$nodes"
    trap - EXIT
    rm -f "$state/up"
    say "its nodes see these folders alone, and 'up --share DIR' others: ${paths[*]}"
    say "'$name' is up: $0 sinfo, $0 srun -N$nodes hostname; $0 down ends it"
}

# check_buffer BYTES LINKS TREE: checks that a queue for it exists, and that a packet fits.
check_buffer() {
    [[ $1 =~ ^[1-9][0-9]{3,8}$ && $1 -ge 3000 ]] ||
        die 2 "--buffer '$1': expected bytes, 3000 (two packets) to 999999999"
    grep -q '^port ' <<<"$2" || awk '$1 == "edge" && $4 > 0 { found = 1 } END { exit !found }' <<<"$3" ||
        die 2 "--buffer: only limited ports have a queue: expected 'port' lines in --links, or LinkSpeed= in --topology"
}

# read_topology FILE NODES: checks the file and prints it in one form; without a file, two switches
# below one.
read_topology() {
    if [ -z "$1" ]; then
        default_topology "$2"
        return
    fi
    [[ -r $1 && ! -d $1 ]] || die 2 "$1: cannot be read; expected a topology"
    awk -v file="$1" -v nodes="$2" -f "$here/lib/topology.awk" "$1"
}

# If two `up` run at once, the one that makes the state folder wins.
take_place() {
    if [ -n "$(our_namespaces)" ] || ! mkdir "$state" 2>/dev/null; then
        die 2 "'$name' is up already, or was left half up, by $(owner): cluster down first ($state)"
    fi
    trap give_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    started $$
    printf '%s %s\n' $$ "$REPLY" >"$state/up"
    printf '%s in %s at %s\n' "${SUDO_USER:-$(id -un)}" "$project" "$(date '+%F %T')" >"$state/owner"
    mkdir "$state/node" "$state/log" "$state/slurmctld" "$state/conf"
    mountpoint -q /run/netns || touch "$state/netns-mount"
    (umask 077 && head -c 1024 /dev/urandom >"$state/munge.key")
}

give_up() {
    local status=$?
    trap '' INT TERM HUP
    trap - EXIT
    say "not up; taking down what there is"
    take_down
    exit "$status"
}

start_all() {
    local node nodes=$1
    say "starting control and $nodes nodes"
    make_switches
    throttle_all
    start_node control
    for node in $(all_nodes); do
        start_node "$node"
    done
    within 300 settled || say "not all nodes are idle after 300 s"
    all_idle && return
    grep -hE 'error: |fatal: ' "$state"/log/*.log | tail -n 10 >&2 || :
    die 1 "the cluster does not come up: the messages of its daemons are above"
}

# True when all nodes answer, or a daemon has given up, for example because of a bad line in --conf.
settled() {
    all_idle || grep -qE '^slurm(ctld|d): fatal: ' "$state"/log/*.log
}
