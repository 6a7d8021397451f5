# shellcheck shell=sh disable=SC2119,SC2120
# Sourced by the tests that submit campaigns: TEST.sh PROJECT BUILD SHARED. Each brings up a cluster
# of its own by `up`, so that all can run side by side, and works in a folder of its own in SHARED.
set -eu

project=$1
build=$2
shared=$3
programs=$build/bin
name=$(basename "$0" .sh)
# Two builds' tests may run at once.
NUCE_CLUSTER=test-$name-$(printf %s "$build" | cksum | cut -d ' ' -f 1)
export NUCE_CLUSTER
rm -rf "${shared:?}/$name"
mkdir -p "$shared/$name"
cd "$shared/$name"

cluster() {
    "$project/slurm/virtual/cluster" "$@"
}

# Runs when the test ends, for whatever reason.
leave() {
    cluster down
}

# up [OPTION...]: a cluster for this test, until it ends.
up() {
    cluster down || exit $?
    trap leave EXIT
    trap 'exit 130' INT TERM HUP
    cluster up --cpus 1 --build "$build" --share "$shared" --conf SlurmdTimeout=300 "$@" || exit $?
}

# up_built [OPTION...]: the same with nuce built on the nodes, with their libraries.
up_built() {
    cluster down || exit $?
    trap leave EXIT
    trap 'exit 130' INT TERM HUP
    cluster up --share "$shared" --conf SlurmdTimeout=300 "$@" || exit $?
    programs=$project/build/virtual/bin
}

# dies NODE: and Slurm is told. If it looked for itself, it would also take nodes for dead that a busy machine lets
# answer late.
dies() {
    cluster kill "$1"
    cluster scontrol update "NodeName=$1" State=DOWN Reason=killed
}

# That of this machine.
nuce() {
    "$build/bin/nuce" "$@"
}

fail() {
    echo "FAILED: $*" >&2
    cluster squeue -t all >&2 || :
    tail -n 20 "$(cluster status | sed -n 's/^logs //p')/control.log" >&2 || :
    tail -n 20 campaigns/*/logs/*.out >&2 2>/dev/null || :
    exit 1
}

same() {
    [ "$2" = "$3" ] || fail "$1: $2, expected $3"
}

# expect STATUS COMMAND...: its output goes to the file `said`, which is shown.
expect() {
    wanted=$1
    shift
    status=0
    "$@" >said 2>&1 || status=$?
    echo "+ $* -> $status"
    cat said
    same "status of $*" "$status" "$wanted"
}

says() {
    grep -qF -- "$1" said || fail "it does not say: $1"
}

# eventually SECONDS COMMAND...: that long on an idle machine; a busy one has ten times as much. To ask Slurm takes
# a processor for a tenth of a second.
eventually() {
    tries=$(($1 * 10))
    shift
    until "$@"; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || fail "never: $*"
        sleep 1
    done
}

# profile [LINE...]: profile.yaml for the cluster, with these additional lines. Ranks that wait leave the
# processors to the other nodes (tests/polite).
profile() {
    cat >profile.yaml <<YAML
via: $project/slurm/virtual/cluster
programs: $programs
launcher: srun
mpi: pmi2
ntasks-per-node: 1
signal: 10
set: {UCX_TLS: tcp, UCX_NET_DEVICES: eth0, LD_PRELOAD: $build/tests/polite/libnuce_test_polite.so}
YAML
    printf '%s\n' "$@" >>profile.yaml
}

# hold RUNS: ranks of the profile, once that many runs are recorded and another has begun, wait for `go`
# (tests/polite), so that what the test does then it does in the middle of that run. After `profile`.
hold() {
    sed -i "s|^set: {|&NUCE_TEST_HOLD: '$1 $PWD', |" profile.yaml
}

go() {
    : >go
}

# The command of a program_race, up to its schedule.
exchange='nuce-exchange --pattern uniform --degree 2 --item-bytes 16KiB --warmup 1 --min-samples 3 --max-samples 3'
exchange="$exchange --format json --schedule"

# sweep COUNT SECONDS RANKS [LINE...]: sweep.yaml, COUNT points that sample for so long.
sweep() {
    cat >sweep.yaml <<YAML
name: $name
workload: exchange
ranks: $3
sweep:
  schedule: [ac, rs-n]
  pattern: uniform
  degree: 1
  item-bytes: 16KiB
  instances: $(($1 / 2))
measure: {launches: 1, warmup: 0, min-samples: 1, max-samples: 1000000, target-ci: 0, time-limit: ${2}s, timeout: 120s}
YAML
    shift 3
    printf '%s\n' "$@" >>sweep.yaml
}

# program_race NAME COMMAND NAME COMMAND RANKS LAUNCHES: sweep.yaml, these commands in turns, by their own times.
program_race() {
    cat >sweep.yaml <<YAML
name: $name
workload: program
ranks: [$5]
zip: [{command: ["$2", "$4"], name: [$1, $3]}]
sweep: {metric: json:/communication_s, unit: s}
measure: {launches: $6, warmup: 0, timeout: 120s}
YAML
}

# submit_and_lose_node RUNS: n2 dies in the run after so many good ones; missing launches are raced again.
submit_and_lose_node() {
    hold "$1"
    submit
    eventually 60 has_runs "$1" ok
    dies n2
    eventually 90 no_jobs
    go
    cluster revive n2
    resume_all
    expect 0 nuce collect
}

submit() {
    expect 0 nuce submit sweep.yaml --profile profile.yaml "$@"
}

# jobs [STATE]: ids of jobs of this test that are in the queue, in that state.
jobs() {
    cluster squeue -h -r -t "${1:-PENDING,RUNNING,CONFIGURING,COMPLETING,SUSPENDED}" -o '%i %j' |
        awk -v name="nuce-$name." 'index($2, name) == 1 { print $1 }'
}

no_jobs() {
    [ -z "$(jobs)" ]
}

running() {
    [ -n "$(jobs RUNNING)" ]
}

# runs [STATUS]: recorded, with that status.
runs() {
    cat campaigns/*/records/*.jsonl 2>/dev/null | grep '"record":"run"' |
        grep -c "\"status\":\"${1:-}" || :
}

# requeued: a job that Slurm put back into the queue waits two minutes there, unless it is released.
requeued() {
    waiting=$(jobs PENDING)
    [ -n "$waiting" ] && cluster scontrol update "JobId=$waiting" StartTime=now
}

# has_runs NUMBER [STATUS]
has_runs() {
    [ "$(runs "${2:-}")" -ge "$1" ]
}

# ranks NODE: the processes that measure there.
ranks() {
    cluster exec "$1" -- pgrep -x nuce-exchange || :
}

# resume_all: submits missing launches until all are measured.
resume_all() {
    rounds=0
    until expect 0 nuce resume && grep -q ' 0 points in 0 jobs' said && no_jobs; do
        rounds=$((rounds + 1))
        [ "$rounds" -lt 8 ] || fail "never all measured"
        eventually 120 no_jobs
    done
}

# value SQL
value() {
    nuce query "$1" --format csv | tail -n 1
}

# finished POINTS [OF_THE_NEWEST]: each has exactly as many good launches as the sweep says, in the records and in the
# database, except references that raced again with missing contenders, and races whose reference failed. Every run
# that is not good has a message.
finished() {
    expect 0 nuce collect
    launches=$(sed -n 's/.*launches: \([0-9]*\).*/\1/p' sweep.yaml)
    same "points with good runs, the fewest of one, whether a contender has too many" \
        "$(value "SELECT count(*), min(n), coalesce(max(n) FILTER (WHERE schedule <> 'ac'), min(n)) > $launches +
            (SELECT count(*) FROM run JOIN point ON point = point.id WHERE status IN ('failed', 'timeout') AND schedule = 'ac') FROM
            (SELECT schedule, count(DISTINCT job) AS n FROM run JOIN point ON point = point.id
             WHERE status = 'ok' GROUP BY point.id)")" "$1,$launches,0"
    same "bad runs without a message" \
        "$(value "SELECT count(*) FROM run WHERE status <> 'ok' AND message IS NULL")" 0
    expect 0 nuce status
    says "${2:-$1}: ${2:-$1} done"
    expect 0 nuce collect
    says "0 runs new"
}
