#!/bin/sh
# launch.sh MPIEXEC PROGRAM CHECK: facts that a launcher gives to the program (--facts), checks that it asks for
# (--hosts, one program on all ranks), and their members in the job record.
set -eu
# shellcheck source=tests/kernels/common.sh
. "$(dirname "$0")/common.sh"
mpiexec=$1 program=$2 check=$3
begin

# A plan of one point for two ranks; its identity is the SHA-256 of its canonical form.
params='{"degree":1,"instance":0,"item-bytes":64,"pattern":"uniform","schedule":"ac","seed":1}'
point=$(printf '{"params":%s,"ranks":2,"workload":"exchange"}' "$params" | sha256sum | cut -d ' ' -f 1)
printf '{"point":"%s","workload":"exchange","ranks":2,"params":%s,"measure":{"min-samples":2,"max-samples":4}}\n' \
    "$point" "$params" >plan.jsonl

# start NAME OPTIONS...: records in NAME; the exit status in $status.
start() {
    name=$1
    shift
    launched "$mpiexec" -n 2 "$program" --points plan.jsonl --records "$name" "$@"
}

# recorded NAME OPTIONS...: ends well; the job record's identity of the environment in $id.
recorded() {
    start "$@"
    [ "$status" -eq 0 ] || fail "exit status $status"
    grep -q '"status":"ok"' "$1" || fail "no run in $1"
    head -n 1 "$1" >job
    id=$(sed -n 's/.*"environment":"\([0-9a-f]*\)".*/\1/p' job)
}

# refused STATUS MESSAGE OPTIONS...: one message, on one line, and nothing recorded.
refused() {
    wanted=$1 message=$2
    shift 2
    start none "$@"
    [ "$status" -eq "$wanted" ] || fail "exit status $status, expected $wanted"
    same "lines on stderr" "$(wc -l <err)" 1
    grep -qF -- "$message" err || fail "does not say: $message"
    [ ! -s out ] || fail "results of a launch that was refused"
    [ ! -e none ] || fail "records of a launch that was refused"
}

# told WORDS VARIABLE=VALUE...: with these variables the program prints WORDS about launchers; WORDS empty: it prints
# nothing. It ends at once, because its option is unknown.
told() {
    words=$1
    shift
    status=0
    env -u OMPI_COMM_WORLD_SIZE -u PMI_SIZE -u MPI_LOCALNRANKS -u MV2_COMM_WORLD_SIZE -u FLUX_JOB_SIZE \
        -u JSM_NAMESPACE_SIZE -u SLURM_STEP_NUM_TASKS -u SLURM_NTASKS -u SLURM_PROCID -u SLURM_STEP_ID \
        "$@" "$program" --no-such-option >out 2>err || status=$?
    [ "$status" -eq 2 ] || fail "$*: exit status $status"
    same "$*: warnings" "$(grep -c 'warning: ' err)" "$([ -n "$words" ] && echo 1 || echo 0)"
    grep -qF -- "$words" err || fail "$*: does not say: $words"
}

case $check in
alone)
    # The launcher of another library, or of the wrong kind of srun: worlds of one rank each.
    told "2 processes were started (OMPI_COMM_WORLD_SIZE), but each is a world of one rank" OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1
    told "3 processes were started (MPI_LOCALNRANKS), but each is a world of one rank" MPI_LOCALNRANKS=3
    told "8 processes were started (SLURM_STEP_NUM_TASKS), but each is a world of one rank" SLURM_NTASKS=8 SLURM_STEP_NUM_TASKS=8 SLURM_PROCID=0
    told "8 processes were started (SLURM_NTASKS), but each is a world of one rank" SLURM_NTASKS=8 SLURM_PROCID=1
    told "8 processes were started (SLURM_NTASKS), but each is a world of one rank" SLURM_NTASKS=8 SLURM_PROCID=0 SLURM_STEP_ID=2
    told "2 processes were started (OMPI_COMM_WORLD_SIZE)" OMPI_COMM_WORLD_SIZE=2 SLURM_STEP_NUM_TASKS=1
    # One rank is legal: by itself, in a batch script, in a step of one, and under mpiexec -n 1 in a larger one.
    told "" SLURM_JOB_ID=1
    told "" SLURM_NTASKS=8 SLURM_PROCID=0
    told "" SLURM_NTASKS=8 SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0
    told "" OMPI_COMM_WORLD_SIZE=2 MPI_LOCALNRANKS=1
    told "" MPI_LOCALNRANKS=1 SLURM_STEP_NUM_TASKS=8
    told "" OMPI_COMM_WORLD_SIZE=some
    ;;
facts)
    recorded without
    plain=$id
    ! grep -qE '"(cluster|launch|clocks)":' job || fail "facts that nobody told, or of one clock"

    echo '{"cluster": {"topology": "tree", "nodes": 8}, "launch": {"attempt": 1}}' >a
    recorded first --facts a
    tree=$id
    [ "$tree" != "$plain" ] || fail "the cluster is not part of the environment"
    grep -qF '"cluster":{"nodes":8,"topology":"tree"}' job || fail "no cluster"
    # Keys are sorted: `facts` stands behind `described`.
    sed 's/.*"facts"://' job | grep -qF '"launch":{"attempt":1}' || fail "no launch"

    echo '{"cluster": {"nodes": 8, "topology": "tree"}, "launch": {"attempt": 2}}' >b
    recorded second --facts b
    same "environment of the second launch" "$id" "$tree"

    echo '{"launch": {"attempt": 3}}' >c
    recorded third --facts c
    same "environment of a launch that tells no cluster" "$id" "$plain"
    ;;
bad-facts)
    refused 2 "nowhere.json: No such file or directory" --facts nowhere.json
    mkfifo pipe.json
    refused 2 "pipe.json: not a regular file" --facts pipe.json
    : >empty.json
    refused 2 "empty.json:1: " --facts empty.json
    echo '[{"cluster": {}}]' >array.json
    refused 2 "array.json:1:1: an array; expected a JSON object" --facts array.json
    printf '{"launch": {},\n"cluster": {]}\n' >torn.json
    refused 2 "torn.json:2:13: " --facts torn.json
    echo '{"launch": {}, "launch": {}}' >twice.json
    refused 2 "twice.json:1:" --facts twice.json
    echo '{"launch": {}, "clutser": {}}' >typo.json
    refused 2 "typo.json: unknown key 'clutser' (did you mean 'cluster'?)" --facts typo.json
    echo '{"weather": {}}' >unknown.json
    refused 2 "unknown.json: unknown key 'weather': expected 'cluster' or 'launch'" \
        --facts unknown.json
    echo '{"cluster": "tree"}' >text.json
    refused 2 "text.json: cluster: '\"tree\"': expected an object" --facts text.json
    ;;
hosts)
    host=$(uname -n)
    printf '%s\n%s\n' "$host" "$host" >right
    recorded found --hosts right
    printf '%s\nelsewhere\n' "$host" >wrong
    refused 1 "wrong:2: rank 1 runs on $host, expected elsewhere" --hosts wrong
    printf '%s\n%s\n%s\n' "$host" "$host" "$host" >long
    refused 1 "long: 3 host names; expected 2, one per rank" --hosts long
    refused 2 "nowhere: No such file or directory" --hosts nowhere
    ;;
many)
    # races CONTENDERS UNITS LINES: so many contenders of each of these instances, and lines that say that the ratios
    # of an instance are of several races.
    races() {
        launched "$mpiexec" -n 2 "$program" --pattern uniform --degree 2 --item-bytes "$2" --schedule greedy \
            --in-flight "$(seq -s , 1 "$1")" --warmup 1 --min-samples 2 --max-samples 2 --batch 1 --format json
        [ "$status" -eq 0 ] || fail "exit status $status"
        same "lines that say it" "$(grep -c 'more than 64 contenders: every 64 form a race' err)" "$3"
    }
    races 65 1,2 1
    races 64 1 0
    ;;
affinity)
    # Two masks of one processor each differ from one mask twice, and both differ from no mask.
    python3 -c 'import os; print(*sorted(os.sched_getaffinity(0)))' >mine || exit 77
    read -r one two _ <mine
    [ -n "$two" ] || exit 77
    # bound A B: ranks 0 and 1 on these processors; the identity of the environment in $id.
    bound() {
        launched "$mpiexec" -n 1 taskset -c "$1" "$program" --points plan.jsonl --records "on-$1-$2" : \
            -n 1 taskset -c "$2" "$program" --points plan.jsonl --records "on-$1-$2"
        [ "$status" -eq 0 ] || fail "exit status $status"
        head -n 1 "on-$1-$2" >job
        id=$(sed -n 's/.*"environment":"\([0-9a-f]*\)".*/\1/p' job)
    }
    bound "$one" "$two"
    own=$id
    grep -qF '"affinity":{"binding":"own","fewest":1,"most":1}' job || fail "not told: one processor each"
    grep -qF "\"masks\":[\"$one\",\"$two\"]" job || fail "not told: which"
    bound "$two" "$one"
    same "environment of the same with ranks exchanged" "$id" "$own"
    bound "$one" "$one"
    grep -qF '"affinity":{"binding":"shared","fewest":1,"most":1}' job || fail "not told: one for both"
    [ "$id" != "$own" ] || fail "one processor for both ranks is the environment of one for each"
    bound "$one,$two" "$two"
    grep -qF '"fewest":1,"most":2}' job || fail "not told: one and two processors"
    grep -qE "\"masks\":\[\"${one}[-,]$two\",\"$two\"\]" job || fail "not told: which two"
    ;;
program)
    recorded ours
    grep -qF "\"program\":\"$(sha256sum "$program" | cut -d ' ' -f 1)\"" job ||
        fail "the record does not hold the program's SHA-256"
    cp "$program" other
    printf x >>other
    launched "$mpiexec" -n 1 "$program" --points plan.jsonl --records none : \
        -n 1 ./other --points plan.jsonl --records none
    [ "$status" -eq 1 ] || fail "exit status $status, expected 1"
    same "lines on stderr" "$(wc -l <err)" 1
    hash=$(sha256sum other | cut -d ' ' -f 1)
    grep -q "rank 1: the program on .* is not rank 0's: its SHA-256 is $hash, expected " err ||
        fail "the message does not name rank and program"
    [ ! -e none ] || fail "records of two programs"
    ;;
esac
