# Sourced by cluster: taking it down, whatever state it is in.
# shellcheck shell=bash

# our_processes: all in our network namespaces.
our_processes() {
    local space
    our_namespaces | while read -r space; do
        ip netns pids "$space" 2>/dev/null || :
    done
}

kill_all() {
    local pids
    pids=$(our_processes)
    [ -n "$pids" ] || return 0
    # shellcheck disable=SC2086 # a list of numbers
    kill -9 $pids 2>/dev/null || :
    return 1
}

# An `up` under way would go on making what is taken down here.
end_up() {
    local pid
    alive "$state/up" || return 0
    read -r pid _ <"$state/up"
    [ "$pid" != $$ ] || return 0
    kill -9 "$pid" 2>/dev/null || :
    within 5 up_is_over || die 1 "the 'up' of process $pid does not end"
}

up_is_over() {
    ! alive "$state/up"
}

# remove_cgroups: their processes have ended; the kernel may still hold them for a moment.
remove_cgroups() {
    local top folder left=0
    top=$(cpu_cgroup 2>/dev/null) || return 0
    [ -d "$top/$name-cluster" ] || return 0
    for folder in "$top/$name-cluster"/*/ "$top/$name-cluster"; do
        [ ! -d "$folder" ] || rmdir "$folder" 2>/dev/null || left=1
    done
    return "$left"
}

take_down() {
    local space
    end_up
    within 10 kill_all || die 1 "processes do not end: $(our_processes | tr '\n' ' ')"
    for space in $(our_namespaces); do
        ip netns del "$space" || :
    done
    within 5 remove_cgroups || die 1 "the cgroup $name-cluster cannot be removed"
    # iproute2 leaves this mount behind; it goes with its maker, when nobody uses it.
    if [ -e "$state/netns-mount" ] && [ -z "$(ls /run/netns)" ]; then
        umount /run/netns 2>/dev/null || :
        rmdir /run/netns 2>/dev/null || :
    fi
    rm -rf --one-file-system "$state" "$state.build.log"
}
