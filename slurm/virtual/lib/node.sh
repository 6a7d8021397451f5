#!/usr/bin/env bash
# A node's first process: node.sh PID-FILE CGROUP ENTER-ARGUMENT...
# Records its id and takes its share of the processor while it still sees the host's files, then
# makes the node's root (enter.sh).
set -eu
file=$1
cgroup=$2
shift 2

# Our id on the host: this /proc is still the host's.
read -r stat </proc/self/stat
rest=${stat##*) }
read -r -a rest <<<"$rest"
printf '%s %s\n' "${stat%% *}" "${rest[19]}" >"$file.new"
mv "$file.new" "$file"
[ -z "$cgroup" ] || echo 0 >"$cgroup/cgroup.procs"
exec "$BASH" "${0%/*}/enter.sh" "$@"
