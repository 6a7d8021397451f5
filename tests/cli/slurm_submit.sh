#!/bin/sh
# nuce submit and resume beside an sbatch that lies, prints anything, hangs, or takes nuce with it, and
# a squeue that does not answer for a while: no job twice, no point lost.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
fake_slurm
mkdir "$work/honest"
mv "$work/bin/sbatch" "$work/honest/sbatch"

# The word in MOOD chooses what sbatch does.
program "$work/bin/sbatch" <<SH
#!/bin/sh
submit() {
    "$work/honest/sbatch" "\$@"
}
case \$MOOD in
honest) submit "\$@" ;;
cluster) echo "\$(submit "\$@");green" ;;
banner) printf 'Welcome!\n%s\n' "\$(submit "\$@")" ;;
number) printf '2026\n%s\n' "\$(submit "\$@")" ;;
nothing) echo 'All is well' ;;
lies)
    echo 'slurm_load_jobs error: Unable to contact slurm controller' >"$FAKE_SLURM/squeue-fails-once"
    submit "\$@" >/dev/null
    echo 'sbatch: error: Batch job submission failed: Socket timed out' >&2
    exit 1
    ;;
rejects)
    submit "\$@" >/dev/null
    sed -i 's/|PENDING|\([^|]*\)|N\/A||Priority|/|FAILED|\1|N\/A||BadConstraints|/' \
        "$FAKE_SLURM/jobs"
    echo 'sbatch: error: Batch job submission failed: Requested node configuration is not available' >&2
    exit 1
    ;;
refuses-three)
    case "\$*" in
    *"--ntasks=3 "*)
        echo 'sbatch: error: Batch job submission failed: Requested node configuration is not available' >&2
        exit 1
        ;;
    *) submit "\$@" ;;
    esac
    ;;
hangs)
    submit "\$@" >/dev/null
    touch "$work/hanging"
    sleep 60
    ;;
kills) kill -9 \$PPID ;;
kills-later)
    submit "\$@" >/dev/null
    kill -9 \$PPID
    ;;
esac
SH

mood() {
    export MOOD="$1"
}

# fresh: nothing is there.
fresh() {
    rm -rf campaigns "$FAKE_SLURM/jobs"
    small s
    sed -i 's/launches: 1/&, time-limit: 15s/' s.yaml # that jobs are long
}

# submitted WHAT: all 12 points are in two jobs, each of which has its id noted.
submitted() {
    same "jobs of $1" "$(wc -l <"$FAKE_SLURM/jobs")" 2
    same "ids of $1" "$(cat campaigns/s.1/jobs/*.id | sort | tr '\n' ' ')" \
        "$(cut -d'|' -f1 "$FAKE_SLURM/jobs" | sort | tr '\n' ' ')"
    prints "points       12: 12 queued" nuce status
}

# measured: all jobs that were ever accepted run; every point is measured once.
measured() {
    cut -d'|' -f9 "$FAKE_SLURM/jobs" | while read -r name; do
        number=${name#nuce-s.1-}
        number=${number%-*}
        (cd campaigns/s.1 && SLURM_JOB_ID=$number "$work/bin/nuce-job" "$number" >/dev/null 2>&1) ||
            fail "job $number"
    done
    same "ok runs" "$(ok_runs campaigns/s.1)" 12
    same "points" "$(ok_points campaigns/s.1)" 12
}

# An sbatch that prints nothing of use and does nothing; beside the rest of the test, since nuce asks
# several times before it believes that.
mkdir "$work/nothing" "$work/nothing/slurm"
(
    cd "$work/nothing"
    small n
    status=0
    FAKE_SLURM=$PWD/slurm MOOD=nothing "$work/bin/nuce" submit n.yaml >said 2>&1 || status=$?
    echo "$status" >status
) &
nothing=$!

for mood in honest cluster banner number; do
    mood "$mood"
    fresh
    prints "12 points in 2 jobs submitted" nuce submit s.yaml
    case $mood in
    banner | number)
        says stderr "sbatch did not print the id of a job; looking for the job by its name"
        says stderr "was accepted as"
        ;;
    esac
    submitted "$mood"
done
measured

# An sbatch that says it failed, and a squeue that does not answer at once.
mood lies
fresh
expect 0 nuce submit s.yaml
says stderr "Unable to contact slurm controller; asking again"
says stderr "was accepted as"
submitted lies

# A job that Slurm numbers and rejects at once was not submitted, as often as one tries.
mood rejects
fresh
gives_up "Requested node configuration is not available" nuce submit s.yaml
says stderr "Slurm rejected it as job"
says stderr "never starts: no nodes satisfy its constraints"
says stdout "0 points in 0 jobs submitted"
gives_up "Slurm rejected it as job" nuce resume
prints "points       12: 12 missing" nuce status
same "ids of rejected jobs" "$(find campaigns/s.1/jobs -name '*.id' | wc -l)" 0
rm "$FAKE_SLURM/jobs"
mood honest
expect 0 nuce resume
submitted rejected

# Jobs of one size are refused; those of other sizes are submitted all the same, wherever they come in the order.
mood refuses-three
fresh
sed -i 's/ranks: .*/ranks: [2, 3, 4]/' s.yaml
gives_up "6 points on 3 ranks: sbatch ended with status 1" nuce submit s.yaml
says stdout "12 points in 2 jobs submitted"
gives_up "6 points on 3 ranks: sbatch ended with status 1" nuce resume
says stdout "0 points in 0 jobs submitted, 12 in jobs that were there"
mood honest
prints "6 points in 1 job submitted, 12 in jobs that were there" nuce resume

# Rejected points are submitted in another way: with another profile, or other words behind --. The next resume does
# the same. The sweep's `slurm:` says what the profile does not.
mood rejects
rm -rf "it's here" "$FAKE_SLURM/jobs"
small s
printf 'slurm: {account: mine, qos: sweeps}\n' >>s.yaml
printf 'partition: wrong\n' >wrong.yaml
printf 'partition: right\nqos: better\n' >right.yaml
gives_up "nuce resume 'it'\\''s here/s.1'" nuce submit s.yaml --campaigns "it's here" -p wrong.yaml -- --nice=7
prints "next         nuce resume 'it'\\''s here/s.1'" nuce status --campaigns "it's here"
expect 1 nuce resume --campaigns "it's here"
grep '^sbatch' "$FAKE_SLURM/calls" | tail -n 1 | grep -q -e '--qos=sweeps.*--nice=7' ||
    fail "what was said at first is forgotten"
expect 2 nuce resume --campaigns "it's here" -- --job-name=x
expect 2 nuce resume --campaigns "it's here" -p nowhere.yaml
mood honest
: >"$FAKE_SLURM/calls"
: >"$FAKE_SLURM/jobs"
expect 0 nuce resume "it's here/s.1" --profile right.yaml -- --hold
same "jobs with other options" \
    "$(grep '^sbatch' "$FAKE_SLURM/calls" | grep -e --hold | grep -e --partition=right |
        grep -e --account=mine | grep -c -e --qos=better)" 2
! grep -q -e --nice "$FAKE_SLURM/calls" || fail "the words of the first time are there still"
# All jobs of the submission are lost.
: >"$FAKE_SLURM/jobs"
: >"$FAKE_SLURM/calls"
expect 0 nuce resume --campaigns "it's here" -- --contiguous
same "jobs with the last profile" \
    "$(grep '^sbatch' "$FAKE_SLURM/calls" | grep -e --partition=right | grep -c -e --contiguous)" 2
! grep -q -e --hold "$FAKE_SLURM/calls" || fail "the words of the last time are there still"
# A campaign that runs here has no jobs.
small here
expect 0 launch run here.yaml
refuses "are for campaigns of 'nuce submit'" launch resume campaigns/here.1 --profile right.yaml

# nuce is stopped while sbatch hangs, killed when it has been heard.
mood hangs
fresh
nuce submit s.yaml >"$work/stdout" 2>"$work/stderr" &
pid=$!
until [ -e "$work/hanging" ]; do
    sleep 0.02
done
pkill -TERM -P "$pid" -x nuce || kill -TERM "$pid"
status=0
wait "$pid" || status=$?
same "status when stopped" "$status" 75
mood kills-later
expect 137 nuce resume
says stderr "had been accepted as"
mood honest
expect 0 nuce resume
says stderr "had been accepted as"
submitted "a nuce killed after sbatch"
prints "0 points in 0 jobs submitted, 12 in jobs that were there" nuce resume
measured

# nuce is killed before sbatch answers: the number of a submission that was never accepted is not used again, and the
# next one gets its points.
mood kills
fresh
expect 137 nuce submit s.yaml
mood honest
expect 0 nuce resume
submitted "a nuce killed before sbatch"
same "submissions that were taken back" "$(find campaigns/s.1/jobs -name '*.void' | wc -l)" 1
# It was accepted after all, and late: it does nothing.
(cd campaigns/s.1 && SLURM_JOB_ID=99 "$work/bin/nuce-job" 1) >"$work/stdout" 2>&1
says stdout "its points were given to another job"
measured

# --dry-run reports obstacles to a submission, and continues; nodes that no rank would use are not requested, with a
# message.
fresh
printf 'programs: /nowhere\nnodes: 16\n' >wide.yaml
expect 0 nuce submit s.yaml --profile wide.yaml --dry-run
says stderr "this would not be submitted now: /nowhere/nuce-job: No such file or directory"
says stdout "6 points on 3 ranks in 1 job of about 105s, on 3 nodes (nodes: 16 are more than ranks)"
says stdout "# Slurm would take it now: sbatch: Job 1 to start at 2026-01-01T00:00:00 using 2 processors"
[ ! -s "$FAKE_SLURM/jobs" ] || fail "a dry run submitted a job"
echo "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy" >"$FAKE_SLURM/sbatch-fails"
expect 0 nuce submit s.yaml --profile wide.yaml --dry-run
says stdout "# Slurm would not take it now: sbatch: error: Batch job submission failed: Job violates accounting/QOS"
rm "$FAKE_SLURM/sbatch-fails"
printf 'via: /nowhere/cluster\n' >away.yaml
expect 0 nuce submit s.yaml --profile away.yaml --dry-run
says stderr "this would not be submitted now: via: '/nowhere/cluster': expected a program"
printf 'time: 1\nnodes: 16\n' >short.yaml
expect 0 nuce submit s.yaml --profile short.yaml
says stderr "6 points on 3 ranks, an array, on 3 nodes (nodes: 16 are more than ranks)"
says stderr "time: 60 s may be too short for a launch of 6 races"

# Two nuce at once.
exec 9>>campaigns/s.1/lock
flock -n 9
gives_up "another nuce is running or submitting this campaign" nuce resume 9>&-
exec 9>&-

# An unexpected table from squeue does not make jobs look ended.
fresh
expect 0 nuce submit s.yaml
cat >"$work/bin/squeue" <<'SH'
#!/bin/sh
echo 'JOBID PARTITION NAME USER ST TIME NODES'
SH
expect 1 nuce status
says stdout "points       12: 12 queued"
says stdout "squeue printed 'JOBID PARTITION NAME USER ST TIME NODES': expected a table"
gives_up "nothing cancelled" nuce cancel

# Variables that describe this shell's place, by a step or by mpiexec, stay out of sbatch's environment. So do those
# that a user set, with a message. A profile may name a variable in full.
mv "$work/bin/sbatch" "$work/lying-sbatch"
printf '#!/bin/sh\nenv | sort >"%s/environment"\nexec "%s/honest/sbatch" "$@"\n' "$work" "$work" | program "$work/bin/sbatch"
cp "$here/fake-slurm" "$work/bin/squeue"
echo 'environment: [PATH, HYDRA_IFACE, OMPI_*, PMI_*]' >named.yaml
in_shell() {
    env SLURM_CPU_BIND=quiet,mask_cpu:0x1 SLURM_CPUS_PER_TASK=1 SLURM_HINT=multithread SLURM_MPI_TYPE=pmi2 \
        SLURM_CONF=/etc/slurm.conf SLURM_CLUSTERS=green SBATCH_ACCOUNT=physics SBATCH_HINT=multithread PMI_RANK=0 \
        SBATCH_ERROR=/tmp/x SBATCH_INPUT=/dev/null \
        OMPI_COMM_WORLD_RANK=0 OMPI_MCA_btl=self HYDRA_IFACE=ib0 HYDRA_LAUNCHER=fork "$@"
}
got() {
    grep -oE '^(SLURM|SBATCH|PMI|OMPI|HYDRA)[A-Z_a-z]*' "$work/environment" | tr '\n' ' '
}
kept="HYDRA_IFACE OMPI_MCA_btl SBATCH_ACCOUNT SLURM_CLUSTERS SLURM_CONF "
fresh
expect 0 in_shell "$work/bin/nuce" submit s.yaml --profile named.yaml
says stderr "SLURM_CPU_BIND"
says stderr "not handed on to jobs; a profile says how they run ('mpi', 'set', 'environment', options of sbatch)"
same "what sbatch gets" "$(got)" "$kept"
grep -q '^#SBATCH --export=HYDRA_IFACE,OMPI_MCA_btl,PATH$' campaigns/s.1/jobs/0001.sh || fail "other variables are exported"
: >"$FAKE_SLURM/jobs"
rm "$work/environment"
expect 0 in_shell env SLURM_JOB_ID=7 SLURM_STEP_ID=0 "$work/bin/nuce" resume s.1
same "what sbatch gets of resume" "$(got)" "$kept"
! grep -q "not handed on" "$work/stderr" || fail "what Slurm set is told as the user's"
mv "$work/lying-sbatch" "$work/bin/sbatch"

# Variables that make sbatch do something else.
fresh
expect 0 nuce submit s.yaml
for variable in SBATCH_ARRAY_INX SBATCH_WAIT SBATCH_CLUSTERS; do
    refuses "$variable='1' in the environment" env "$variable=1" "$work/bin/nuce" submit s.yaml
    expect 2 env "$variable=1" "$work/bin/nuce" resume s.1
done
same "campaigns" "$(ls campaigns)" s.1

# Folders whose names hold anything are harmless, or refused before anything is written.
odd="a %j\$(touch canary) \\n 'b'"
mkdir "$odd" 'a
b'
cd "$odd"
fresh
expect 0 nuce submit s.yaml
(cd campaigns/s.1 && SLURM_JOB_ID=1 sh jobs/0001.sh) >"$work/stdout" 2>&1
says stdout "6 points, 0 without a good run"
[ ! -e canary ] || fail "the folder's name was run"
cd '../a
b'
fresh
refuses "a?b/campaigns/s.1': a control character" nuce submit s.yaml
[ ! -e campaigns ] || fail "a campaign that cannot be submitted was made"
cd ..

wait "$nothing"
same "status of a submit that is not heard" "$(cat "$work/nothing/status")" 1
grep -q 'sbatch did not print the id of a job; Slurm has no such job' "$work/nothing/said" ||
    fail "it does not say that there is no job"
