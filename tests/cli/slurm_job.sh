#!/bin/sh
# nuce-job by hand, with Slurm's variables in the environment: points that were given away,
# or that another job runs; a job that starts again, and is interrupted again and again; ranks that
# die before and after a point has begun.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
fake_slurm

# job NUMBER ID RESTART [VARIABLE=VALUE...]: nuce-job in the newest campaign.
job() {
    number=$1 id=$2 restart=$3
    shift 3
    env --chdir="$(find campaigns -mindepth 1 -maxdepth 1 | sort -V | tail -n 1)" \
        SLURM_JOB_ID="$id" SLURM_RESTART_COUNT="$restart" "$@" "$work/bin/nuce-job" "$number"
}

# fresh: a new campaign of two submissions, 6 points each.
fresh() {
    rm -rf campaigns "$FAKE_SLURM/jobs"
    small s
    expect 0 nuce submit s.yaml
}

# count STATUS FILE...: runs that ended so.
count() {
    wanted=$1
    shift
    cat "$@" | grep '"record":"run"' | grep -c "\"status\":\"$wanted\"" || true
}

# Outside a job, and with a number that is none.
fresh
refuses "SLURM_JOB_ID is not set" env --chdir=campaigns/s.1 "$work/bin/nuce-job" 1
refuses "SLURM_JOB_ID: '12x': expected a number" job 1 12x 0
refuses "'one': expected the NUMBER of a submission" job one 101 0
refuses "jobs/0009.json" job 9 101 0

# A launch that dies before a point has begun is tried again twice. This runs beside the rest of the test, since
# nuce-job waits in between, and under a Slurm of its own, since the fault applies to all of its launches.
(
    mkdir "$work/retry" "$work/retry-slurm" && cd "$work/retry"
    small r
    FAKE_SLURM="$work/retry-slurm" "$work/bin/nuce" submit r.yaml >/dev/null 2>&1
    cd campaigns/r.1
    status=0
    FAKE_SLURM="$work/retry-slurm" SLURM_JOB_ID=103 FAKE_SILENT=7 \
        "$work/bin/nuce-job" 1 >"$work/retry/said" 2>&1 || status=$?
    echo "$status" >"$work/retry/status"
) &
retry=$!

# All is well; started again there is nothing to do.
prints "0001-0: 6 points, 0 without a good run" job 1 101 0
expect 0 job 1 101 1
same "runs" "$(count ok campaigns/s.1/records/0001-*)" 6
[ -e campaigns/s.1/records/0001-0-slurm-101-0-0.jsonl ] || fail "not called by job and restart"

# Variables of the shell that called sbatch, which Slurm hands on, do not reach srun, except those of the script's
# options and those that the profile sets.
printf 'set: {HYDRA_IFACE: ib0}\nhint: nomultithread\n' >hint.yaml
program "$work/bin/noting-srun" <<SH
#!/bin/sh
# The job beside the rest of the test starts it, too.
[ "\$SLURM_JOB_ID" != 112 ] || env | sort >"$work/environment"
exec "$here/fake-srun" "\$@"
SH
cp "$work/bin/srun" "$work/srun"
mv "$work/bin/noting-srun" "$work/bin/srun" # at once, for the job beside it
rm -rf campaigns
expect 0 nuce submit s.yaml --profile hint.yaml
expect 0 job 1 112 0 SLURM_CPU_BIND=quiet,mask_cpu:0x1 SLURM_CPU_BIND_LIST=0x1 SLURM_STEP_ID=0 SLURM_TRES_PER_TASK=cpu=1 \
    SLURM_CPUS_PER_TASK=1 SLURM_DISTRIBUTION=cyclic PMI_RANK=0 OMPI_COMM_WORLD_RANK=0 SLURM_HINT=nomultithread \
    SLURM_JOB_NODELIST=n1 SLURM_NNODES=1 SLURM_CONF=/etc/slurm.conf
same "what srun gets" "$(grep -E '^(SLURM|SBATCH|PMI|OMPI|HYDRA)' "$work/environment" | tr '\n' ' ')" \
    "HYDRA_IFACE=ib0 SLURM_CONF=/etc/slurm.conf SLURM_HINT=nomultithread SLURM_JOB_ID=112 SLURM_JOB_NODELIST=n1 SLURM_NNODES=1 SLURM_RESTART_COUNT=0 "
mv "$work/srun" "$work/bin/srun"

# The files of `describe` in the profile are read when the job starts; if they cannot be read, the job ends.
echo 'links: as bought' >links.txt
printf 'describe: [links.txt, %s/gone]\n' "$work" >described.yaml
rm -rf campaigns
expect 0 nuce submit s.yaml --profile described.yaml
refuses "describe: $work/gone: No such file or directory" job 1 111 0
same "runs" "$(find campaigns/s.1/records -name '0001-*' | wc -l)" 0
sed -i "s/, .*gone/, links.txt/" described.yaml
rm -rf campaigns
expect 0 nuce submit s.yaml --profile described.yaml
expect 0 job 1 111 0
described=$(printf '{"name":"links.txt","sha256":"%s"}' "$(sha256sum links.txt | cut -d ' ' -f 1)")
same "files" "$(tr -d ' \n' <"$(find campaigns/s.1/launches -name '0001-*.facts.json')" |
    sed 's/.*"files":\[\([^]]*\)\].*/\1/')" "$described,$described"
# The size of a port's buffer is the number on a line of its own.
grep -q buffer_bytes campaigns/s.1/launches/0001-*.facts.json && fail "a buffer that nobody described"
printf 'buffer 100000 bytes or so\nport 0 out 1 bit/s in 1 bit/s\nbuffer 12000 bytes\n' >links.txt
expect 0 nuce submit s.yaml --profile described.yaml
expect 0 job 1 112 0
grep -q '"buffer_bytes": 12000' campaigns/s.2/launches/0001-*.facts.json || fail "no buffer of 12000 bytes"
rm -r campaigns/s.2
mv links.txt moved.txt
refuses "described.yaml:1:12: describe: " nuce submit s.yaml --profile described.yaml
fresh
expect 0 job 1 101 0

# Points that were given away; that another job runs (nuce-job waits for it).
touch campaigns/s.1/jobs/0002-0.void
prints "its points were given to another job" job 2 102 0
rm campaigns/s.1/jobs/0002-0.void
flock --no-fork campaigns/s.1/jobs/0002-0.lock sleep 600 &
lock=$!
until ! flock -n campaigns/s.1/jobs/0002-0.lock true; do
    sleep 0.05
done
(sleep 2 && touch "$work/released" && kill "$lock") &
expect 0 job 2 102 0
[ -e "$work/released" ] || fail "it did not wait for the other job"
wait "$lock" || :
same "all runs" "$(ok_runs campaigns/s.1)" 12

# A node dies under a point: the job that starts again records that and measures the rest.
fresh
echo 1 >"$FAKE_SLURM/srun-dies"
expect 75 job 1 101 0 FAKE_CRASH=32
says stderr "was killed by signal 9"
before=$(count ok campaigns/s.1/records/0001-*)
expect 0 job 1 101 1
same "interrupted" "$(count interrupted campaigns/s.1/records/0001-0-slurm-101-0-*-lost.jsonl)" 1
same "ok runs" "$(count ok campaigns/s.1/records/0001-*)" 6
[ "$before" -lt 6 ] || fail "nothing was interrupted"

# The same point three times: it is left, the others are measured.
fresh
echo 3 >"$FAKE_SLURM/srun-dies"
for restart in 0 1 2; do
    expect 75 job 1 101 "$restart" FAKE_CRASH=64
done
expect 1 job 1 101 3
says stdout "0001-0: 6 points, 1 without a good run"
same "interrupted" "$(count interrupted campaigns/s.1/records/0001-*)" 3
same "ok runs" "$(count ok campaigns/s.1/records/0001-*)" 5

# After the signal to stop, the point in flight is recorded, and the job can continue, also by hand under the same id.
fresh
job 1 101 0 FAKE_SLEEP_MS=2000 >"$work/stdout" 2>"$work/stderr" &
pid=$!
until grep -q '"record":"begin"' campaigns/s.1/records/* 2>/dev/null; do
    sleep 0.02
done
pkill -USR1 -P "$pid" -x nuce-job
status=0
wait "$pid" || status=$?
same "status after USR1" "$status" 75
awk -F'|' -v OFS='|' 'NR == 1 { $4 = "FAILED"; $7 = "n0"; $8 = "NonZeroExitCode" }
    NR == 2 { $6 = "2026-11-21T10:00:00" } { print }' "$FAKE_SLURM/jobs" >"$FAKE_SLURM/new"
mv "$FAKE_SLURM/new" "$FAKE_SLURM/jobs"
left=$((6 - $(ok_runs campaigns/s.1)))
prints "ran out of time: $left points missing" nuce status
says stdout "expected 2026-11-21T10:00:00"
# Jobs that are cancelled, preempted or lose a node get the signal to stop too: more time is not suggested for them.
for state in CANCELLED PREEMPTED NODE_FAIL; do
    cp -r campaigns kept-campaigns
    cp "$FAKE_SLURM/jobs" kept-jobs
    sed -i "s/|FAILED|/|$state|/" "$FAKE_SLURM/jobs"
    expect 0 nuce resume
    ! grep -q "got the signal to stop" "$work/stderr" || fail "$state: more time is suggested"
    rm -r campaigns
    mv kept-campaigns campaigns
    mv kept-jobs "$FAKE_SLURM/jobs"
done
expect 0 nuce resume
says stderr "got the signal to stop before one of its 6 points was done: more 'time' may be needed"
rm campaigns/s.1/jobs/0001-0.void
prints "0 without a good run" job 1 101 0
same "ok runs" "$(ok_runs campaigns/s.1)" 6
[ ! -e campaigns/s.1/jobs/0001-0.stopped ] || fail "it is still said to be stopped"

# Told to stop in a race of programs: the run under way is recorded with its time, which is no sample, and the races
# that ended in that launch count. However often that happens, it is no fault of the contender, also if the
# signal ends it with an error, as in the first attempt.
cat >stops.yaml <<'YAML'
name: stops
workload: program
zip: [{command: ["printf 'v: 100'", ./stops], name: [a, b]}]
sweep: {metric: ['([0-9]+)$', 'v: ([0-9]+)']}
measure: {launches: 2, warmup: 0}
YAML
program stops <<'SH'
#!/bin/sh
echo >>starts
case $(wc -l <starts) in
1 | 3) ;; # the first race, in the first two attempts
*)
    [ -e go ] || {
        # nuce-job finds both at once, the signal and the end, as it sleeps until this has ended.
        [ "$SLURM_RESTART_COUNT" != 0 ] || {
            kill -STOP $PPID
            { until grep -q '^State:.Z' /proc/$$/status; do sleep 0.02; done && kill -CONT $PPID; } &
            kill -USR1 $PPID
            exit 3
        }
        kill -USR1 $PPID
        exec sleep 1000
    }
    ;;
esac
echo v: 120
SH
rm -r campaigns
expect 0 nuce submit stops.yaml
for restart in 0 1 2 3; do
    expect 75 job 1 101 "$restart"
    grep -q "^interrupted: .*, name b, .*: nuce was told to stop while it ran$" "$work/stderr" ||
        fail "it does not say which command it stopped"
    same "good runs after $restart restarts" "$(ok_runs campaigns/stops.1)" "$([ "$restart" = 0 ] && echo 2 || echo 4)"
done
expect 0 nuce collect stops.1
says stdout "INCOMPLETE: 4 of 8 runs; nuce status campaigns/stops.1 says where the rest is"
touch go
prints "0001-0: 4 points, 0 without a good run" job 1 101 4
expect 0 nuce collect stops.1
! grep -q INCOMPLETE "$work/stdout" || fail "a race that is through is called incomplete"
same "runs, those with a time, samples" "$(value "SELECT group_concat(status || ' ' || n || ' ' || timed || ' ' || samples,
    ' + ') FROM (SELECT status, count(*) AS n, count(wall_s) AS timed, sum(samples) AS samples FROM run
    WHERE campaign = 'stops.1' GROUP BY status ORDER BY status)")" "interrupted 4 4 0 + ok 8 8 8"
same "launches of each race" "$(value "SELECT group_concat(DISTINCT launches) FROM ratio")" 2
rm go nuce.db

# Ranks that die: with any status, also that of bad input, the point is failed and the rest continues.
for died in 2 7; do
    fresh
    expect 1 job 1 101 0 FAKE_CRASH=32 FAKE_STATUS="$died"
    says stdout "0001-0: 6 points, 2 without a good run"
    same "failed runs" "$(count failed campaigns/s.1/records/0001-*)" 2
    expect 1 job 1 101 1
    same "runs of points that had theirs" "$(count ok campaigns/s.1/records/0001-*)" 4
done

# Input that the ranks refuse is not tried again.
fresh
refuses "srun ended with status 2: nuce-fake: --points: not to my taste" job 1 101 0 FAKE_SILENT=2

wait "$retry"
same "status of a job whose launches all die" "$(cat "$work/retry/status")" 1
same "launches" "$(find "$work/retry/campaigns/r.1/launches" -name '*-[0-9].jsonl' | wc -l)" 3
grep -q 'before a point had begun' "$work/retry/said" || fail "it does not say that it tries again"

# The profile's modules and prologue run in the job script, before its ranks; the first line that fails
# is named, and nothing is measured.
mkdir -p "$work/modules/init"
cat >"$work/modules/init/sh" <<'EOF'
module() {
    [ "$2" != nosuch ] || return 3
    echo "$@" >>loaded
    LOADED_MODULE=$2
    export LOADED_MODULE
}
EOF
# prologue MODULE LINE: a campaign by a profile with them; its script is run.
prologue() {
    rm -rf campaigns "$FAKE_SLURM/jobs"
    printf '%s\n' "modules: [$1]" "prologue: ['# a comment', 'FROM_PROLOGUE=\"\$LOADED_MODULE it is\" && cd /', $2]" >p.yaml
    small s
    expect 0 nuce submit s.yaml --profile p.yaml
    status=0
    env --chdir=campaigns/s.1 SLURM_JOB_ID=101 SLURM_RESTART_COUNT=0 MODULESHOME="$work/modules" \
        sh jobs/0001.sh >"$work/stdout" 2>"$work/stderr" || status=$?
}
prologue mpich/4.1 '"export FROM_PROLOGUE"'
same "status of a job with a prologue" "$status" 0
same "module" "$(cat campaigns/s.1/loaded)" "load mpich/4.1"
says stdout "0001-0: 6 points, 0 without a good run"
[ -z "$(ls campaigns/s.1/jobs/*.prologue 2>/dev/null)" ] || fail "a prologue that did not fail is noted"
same "what the ranks record of it" "$(tr -d ' \n' <campaigns/s.1/launches/0001-0-slurm-101-0.facts.json |
    sed -n 's/.*"modules":\["\([^"]*\)"\],.*/\1/p')" "mpich/4.1"
grep -q 'FROM_PROLOGUE' campaigns/s.1/jobs/0001.sh || fail "the prologue is not in the script"
prologue mpich/4.1 'exec_nothing_of_this_name --now'
same "status after a line that fails" "$status" 2
says stderr "nuce: the profile's modules and prologue, line 4, failed with status 127: exec_nothing_of_this_name --now"
same "times that it is said" "$(grep -c 'modules and prologue' "$work/stderr")" 1
same "what the job notes" "$(cat campaigns/s.1/jobs/0001-0-slurm-101-0.prologue)" "$(grep 'modules and prologue' "$work/stderr")"
same "runs" "$(cat campaigns/s.1/records/* 2>/dev/null | grep -c '"record":"run"' || true)" 0
# From there it is collected into the database, once, and shown in the report; a job of the same name that ran stays
# unchanged.
said="the profile's modules and prologue, line 4, failed with status 127: exec_nothing_of_this_name --now"
for times in 1 2; do
    expect 0 nuce collect
    expect 0 nuce query --format csv "SELECT id, json_extract(facts, '\$.failed') FROM job"
    same "rows of jobs after $times times" "$(tail -n +2 "$work/stdout")" "0001-0-slurm-101-0,\"$said\""
done
# Its environment is unknown, and is none.
expect 0 nuce show environments
same "environments of jobs that failed" "$(grep -c s.1 "$work/stdout" || true)" 0
# And with the campaign to another machine.
expect 0 nuce bundle s.1
expect 0 nuce import s.1.tar.gz --campaigns elsewhere --database else.db
same "row of the job elsewhere" "$(value "SELECT id || ' ' || json_extract(facts, '\$.failed') FROM job" else.db)" \
    "\"0001-0-slurm-101-0 $said\""
expect 0 launch run s.yaml
mkdir -p campaigns/s.2/jobs
cp campaigns/s.1/jobs/*.prologue campaigns/s.2/jobs
expect 0 nuce collect
expect 0 nuce env diff s.2 s.2
expect 0 nuce report --output r.html
grep -qF "line 4, failed with status 127: exec_nothing_of_this_name --now" r.html || fail "the report does not say it"
rm -f nuce.db
# A line that ends the shell, even with status 0: a job that measured nothing has not succeeded.
for line in '. /nonexistent' 'exit 0'; do
    prologue mpich/4.1 "$line"
    same "status after $line" "$status" 2
    says stderr "line 4, ended the job: $line"
done
prologue nosuch 'true'
same "status without the module" "$status" 2
says stderr "line 1, failed with status 3: module load nosuch"
