# Sourced by cluster: takes it down, in any state.
# shellcheck shell=bash

# An `up` under way would continue to make the parts that are taken down here.
end_up() {
    local pid
    alive "$state/up" || return 0
    read -r pid _ <"$state/up"
    [ "$pid" != $$ ] || return 0
    kill -9 "$pid" 2>/dev/null || :
    within 120 up_is_over || die 1 "the 'up' of process $pid does not end"
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
    local space spaces
    end_up
    spaces=$(our_namespaces)
    # shellcheck disable=SC2086 # a list of words
    end_processes $spaces
    for space in $spaces; do
        ip netns del "$space" || :
    done
    within 120 remove_cgroups || die 1 "the cgroup $name-cluster cannot be removed"
    # iproute2 leaves this mount behind; it is removed together with the network namespaces when no
    # process uses it.
    if [ -e "$state/netns-mount" ]; then
        flock "$netns_lock" sh -c '[ -n "$(ls /run/netns 2>/dev/null)" ] ||
            { umount /run/netns && rmdir /run/netns; } 2>/dev/null' || :
    fi
    rm -rf --one-file-system "$state" "$state.build.log"
}
