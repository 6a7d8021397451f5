#!/bin/sh
# The virtual cluster itself: comes up, carries MPI, shapes links, loses nodes and gets them back,
# passes arguments on, and leaves nothing behind. cluster.sh PROJECT BUILD.
set -eu

project=$1
build=$2
NUCE_CLUSTER=test-$(printf %s "$build" | cksum | cut -d ' ' -f 1)
export NUCE_CLUSTER UCX_TLS=tcp UCX_NET_DEVICES=eth0
work=$(mktemp -d)
work=$(cd "$work" && pwd -P)
trap 'cluster down || :; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
cd "$work"

cluster() {
    "$project/slurm/virtual/cluster" "$@"
}

fail() {
    echo "FAILED: $*" >&2
    cluster status >&2 || :
    tail -n 20 "$(cluster status | sed -n 's/^logs //p')/control.log" >&2 || :
    exit 1
}

same() {
    [ "$2" = "$3" ] || fail "$1: $2, expected $3"
}

# expect STATUS TEXT COMMAND...: ends with STATUS and says TEXT, or anything where that is empty.
expect() {
    wanted=$1
    text=$2
    shift 2
    status=0
    "$@" >said 2>&1 || status=$?
    cat said >&2
    same "status of $*" "$status" "$wanted"
    [ -z "$text" ] || grep -qF -- "$text" said || fail "$* does not say: $text"
}

# eventually SECONDS COMMAND...: that long on an idle machine; a busy one has ten times as much.
eventually() {
    tries=$(($1 * 20))
    shift
    until "$@"; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || fail "never: $*"
        sleep 0.5
    done
}

# All parts of the cluster on this machine: namespaces, mounts (also those of processes that
# live in mount namespaces of it), cgroups, state.
traces() {
    ip netns list | grep "^$NUCE_CLUSTER-" || :
    grep -l "$NUCE_CLUSTER-" /proc/[0-9]*/mountinfo 2>/dev/null || :
    find /sys/fs/cgroup /run -maxdepth 2 -name "$NUCE_CLUSTER-*" 2>/dev/null || :
}

# born PID: its number and when it was started, since another process may get the number of one that
# has ended. Nothing if it has ended, even if it is still a zombie.
born() {
    sed -n "s/.*) \([^XZ] .*\)/\1/p" "/proc/$1/stat" 2>/dev/null | awk -v pid="$1" '{ print pid ":" $20 }'
}

gone() {
    same "left behind" "$(traces)" ""
    for process in ${processes:-}; do
        pid=${process%:*}
        [ "$(born "$pid")" != "$process" ] ||
            fail "process $pid is left: $(tr '\0' ' ' <"/proc/$pid/cmdline")"
    done
}

node_state() {
    cluster sinfo -h -N -n "$1" -o %T
}

is_state() {
    [ "$(node_state "$1")" = "$2" ]
}

sleeps() {
    cluster exec n0 -- pgrep -f 'sleep 98[7]' >/dev/null
}

does_not_sleep() {
    ! sleeps
}

# kernel ARGUMENT...: nuce-exchange on four nodes; its row as comma-separated values.
kernel() {
    cluster srun --mpi=pmi2 -n 4 "$build/bin/nuce-exchange" \
        --schedule ac --warmup 1 --min-samples 3 --max-samples 3 --format csv "$@"
}

# milliseconds FROM TO: for a message of 1 MB.
milliseconds() {
    printf '4\n%s %s 1000000\n' "$1" "$2" >one.com
    kernel --com one.com | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "communication_s") column = i }
        NR == 2 { printf "%d\n", $column * 1000 + 1 }'
}

# Bad input first: nothing is made.
printf 'ranks 4\n0 1 0 fast\n' >bad.links
expect 2 "bad.links:2: 'fast': expected bytes per second" cluster up --nodes 4 --links bad.links
printf 'ranks 5\n' >bad.links
expect 2 "bad.links:1: '5': expected a number of ranks, 1 to 4" cluster up --nodes 4 --links bad.links
printf 'speed 0 2\n' >bad.speeds
expect 2 "bad.speeds:1: '2': expected a speed" cluster up --nodes 4 --speeds bad.speeds
printf 'switch A B\nswitch B C\nswitch C A\n' >bad.topology
expect 2 "bad.topology:3: 'C - A': expected a tree" cluster up --nodes 4 --topology bad.topology
expect 2 "--nodes 'many'" cluster up --nodes many
expect 2 "--share '/nowhere'" cluster up --share /nowhere
expect 2 "--build '$work': no bin/nuce there" cluster up --build "$work"
printf 'ranks 4\nport 0 1e6 1e6\n' >port.links
expect 2 "--buffer '100': expected bytes, 3000" cluster up --nodes 4 --links port.links --buffer 100
expect 2 "only limited ports have a queue" cluster up --nodes 4 --buffer 100000
expect 2 "no such command" cluster sideways
status=0
setpriv --reuid 65534 --clear-groups "$project/slurm/virtual/cluster" up >said 2>&1 || status=$?
[ "$(id -u)" != 0 ] || [ "$status" = 77 ] || [ "$status" = 126 ] || fail "without root: status $status"

# Remains of an earlier run; skipped if no cluster can be brought up.
cluster down || exit $?
gone

printf 'ranks 4\n0 1 0 2e6\n' >slow.links
printf 'ranks 4\n0 1 0 30e6\n' >quick.links
printf 'speed 2 0.5\n' >half.speeds
expect 2 "is not up" cluster squeue
cluster up --nodes 4 --build "$build" --links slow.links --speeds half.speeds --share "$work" \
    --conf MaxArraySize=5 --conf SlurmdTimeout=300 || exit $?
same "nodes" "$(cluster sinfo -h -o '%D %T')" "4 idle"
same "names" "$(cluster srun -N4 hostname | sort | tr '\n' ' ')" "n0 n1 n2 n3 "
same "configuration" "$(cluster scontrol show config | awk '$1 == "MaxArraySize" { print $3 }')" 5
expect 2 "is up already, or was left half up, by " cluster up
status=0
(cd / && cluster exec n0 -- true) >said 2>&1 || status=$?
same "status of exec in /" "$status" 2
grep -qF "not a folder that the nodes share" said || fail "exec in / says: $(cat said)"

# MPI over the network, verified.
kernel --pattern uniform --degree 2 >rows
grep -q ',ok,' rows || fail "the kernel says: $(cat rows)"

# A shaped pair against one that is not, and after other rates.
slow=$(milliseconds 0 1)
# Half of what the rate allows: the limit lets a burst through first, and clocks begin late on a busy machine.
[ "$slow" -ge 250 ] || fail "1 MB at 2 MB/s in $slow ms"
# A busy machine takes its time as well, but not each time.
is_quicker() { # FROM TO
    [ "$slow" -gt $((3 * $(milliseconds "$1" "$2"))) ]
}
eventually 30 is_quicker 2 3
cluster reshape --links quick.links
eventually 30 is_quicker 0 1
printf 'ranks 4\n' >no.links
expect 0 "no.links names no rates: all limits are lifted" cluster reshape --links no.links

# Arguments, standard input and exit status pass through.
cat >job.sh <<'JOB'
#!/bin/sh
printf '<%s>' "$SLURM_JOB_NAME" "$@" >arguments.new
mv arguments.new arguments
JOB
chmod +x job.sh
name="a b'c\"d \$(touch canary) \`touch canary\`"
line="two
lines"
job=$(cluster sbatch --parsable --output=/dev/null --job-name="$name" job.sh "  x  " '' "$line" '*')
case $job in
'' | *[!0-9]*) fail "sbatch says $job" ;;
esac
eventually 30 test -e arguments
same "arguments" "$(cat arguments)" "<$name><  x  ><><$line><*>"
[ ! -e canary ] || fail "a name was run"
same "standard input" "$(echo 'over there' | cluster exec n1 -- cat)" "over there"
expect 7 "" cluster exec n1 -- sh -c 'exit 7'
expect 1 "" cluster srun -n 1 false
same "folder" "$(cluster exec n2 -- pwd)" "$work"

# A command that is ended takes its child processes with it.
cluster exec n0 -- sleep 987 &
started=$!
eventually 10 sleeps
pkill -P "$started" 2>/dev/null || kill "$started"
eventually 10 does_not_sleep

# A node dies and comes back; so does control, and it remembers.
cluster kill n3
cluster status | grep -q '^n3 dead' || fail "n3 lives"
expect 1 "n3 is dead" cluster exec n3 -- true
# Slurm is told: if it looked for itself, it would also take nodes for dead that a busy machine lets answer late.
cluster scontrol update NodeName=n3 State=DOWN Reason=killed
same "without n3" "$(cluster srun -N3 hostname | sort | tr '\n' ' ')" "n0 n1 n2 "
cluster revive n3
eventually 30 is_state n3 idle
same "with n3" "$(cluster srun -w n3 hostname)" n3
cluster kill control
expect 1 "control is dead" cluster sinfo
cluster revive control
next=$(cluster sbatch --parsable --output=/dev/null job.sh)
[ "$next" -gt "$job" ] || fail "job $next after $job"

processes=$(for node in control n0 n1 n2 n3 switch; do
    for pid in $(ip netns pids "$NUCE_CLUSTER-$node"); do
        born "$pid"
    done
done)
[ -n "$processes" ] || fail "no processes"
cluster down
gone
cluster down

# A configuration that Slurm refuses is reported at once, with Slurm's message.
expect 1 "PreemptType and PreemptMode" cluster up --nodes 1 --no-build \
    --conf PreemptType=preempt/partition_prio
gone

# `up` is interrupted at any moment.
for delay in 0.05 0.3 0.6 0.9; do
    cluster up --nodes 4 --no-build --speeds half.speeds &
    started=$!
    sleep "$delay"
    # $started is this shell's copy that waits for the command.
    pkill -9 -P "$started" 2>/dev/null || kill -9 "$started" 2>/dev/null || :
    wait "$started" 2>/dev/null || :
    cluster down
    gone
done
