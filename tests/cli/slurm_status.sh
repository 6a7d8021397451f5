#!/bin/sh
# nuce status and nuce cancel beside a Slurm that is not there: its programs are stand-ins.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

fake_slurm

# state STATE REASON NODES: of all jobs.
state() {
    awk -F'|' -v OFS='|' -v state="$1" -v reason="$2" -v nodes="$3" \
        '{ $4 = state; $8 = reason; $7 = nodes; print }' "$FAKE_SLURM/jobs" >"$FAKE_SLURM/new"
    mv "$FAKE_SLURM/new" "$FAKE_SLURM/jobs"
}

# measure FILE STATUS COUNT: the first COUNT points of part FILE have had a run that ended so.
measure() {
    head -n "$3" "campaigns/s.1/jobs/$1.jsonl" | while read -r line; do
        point=$(printf '%s' "$line" | sed 's/.*"point":"\([0-9a-f]*\)".*/\1/')
        printf '{"record":"begin","version":3,"job":"j","point":"%s","started":"%s"}\n' \
            "$point" 2026-11-21T10:00:00.000Z
        printf '{"campaign":"s.1","job":"j","kind":"measured","params":{},"point":"%s","ranks":2,' \
            "$point"
        printf '"record":"run","samples":{"step":[]},"started":"2026-11-21T10:00:00.000Z",'
        printf '"status":"%s","version":3,"wall_s":60,"workload":"exchange"}\n' "$2"
    done >"campaigns/s.1/records/$1-slurm-101-0-0.jsonl"
    python3 "$here/seal.py" "campaigns/s.1/records/$1-slurm-101-0-0.jsonl"
}

# A campaign on this machine: only the counts, and Slurm is not asked.
small local
expect 0 launch run local.yaml
prints "campaign     campaigns/local.1, run on this machine" nuce status
says stdout "points       12: 12 done; runs 12 of 12"
says stdout "done         all, and collected in nuce.db"
says stdout "look         nuce show local.1, nuce figure local.1, nuce report"
mv nuce.db away.db
prints "done         all, but not all is in nuce.db" nuce status
says stdout "next         nuce collect campaigns/local.1"
mv away.db nuce.db
# A launch that was not collected is missed, though every point has a run of another one.
small twice
sed -i 's/launches: 1/launches: 2/' twice.yaml
expect 0 launch run twice.yaml
prints "done         all, and collected in nuce.db" nuce status
python3 -c 'import sqlite3
db = sqlite3.connect("nuce.db")
db.execute("PRAGMA foreign_keys = OFF")
print(db.execute("DELETE FROM run WHERE campaign = ? AND job = (SELECT max(job) FROM run WHERE campaign = ?)",
                 ("twice.1", "twice.1")).rowcount)
db.commit()' >deleted
same "runs of a launch" "$(cat deleted)" 6
prints "done         all, but not all is in nuce.db" nuce status
expect 0 launch run local.yaml --campaigns "it's here" --database there.db
expect 0 nuce status --campaigns "it's here" --database absent.db
says stdout "next         nuce collect 'it'\\''s here/local.1' --database absent.db"
[ ! -e "$FAKE_SLURM/calls" ] || fail "a local campaign asked Slurm"
refuses "was not submitted to Slurm" nuce cancel

# Two jobs, one per rank count; both wait.
small s
expect 0 nuce submit s.yaml
prints "campaign     campaigns/s.1, submitted to Slurm" nuce status
says stdout "points       12: 12 queued"
says stdout "when depends on the queue: none of 2 has started"
says stdout "waits: jobs with a higher priority come first"
says stdout "0 of 6"

# They run; the one has measured three points, and two of it failed.
state RUNNING None 'n[0-1]'
measure 0001-0 ok 3
prints "points       12: 3 done, 9 queued; runs 3 of 12" nuce status
says stdout "3 of 6"
says stdout "n[0-1]"
says stdout "by the points measured so far"
measure 0002-0 failed 2
expect 0 nuce status --format json
same "rows" "$(wc -l <"$work/stdout")" 3
says stdout '"kind":"campaign"'
says stdout '"failed":2'
expect 0 nuce status --format csv
says stdout "kind,name,part,state,reason,points,done,running,queued,failed,missing,nodes,start,left_s,runs,runs_wanted"
says stdout "job,101,0001-0,RUNNING,"
# Failed points of a job that runs: it does not try them again, and a resume submits them when it has ended.
prints "next         nuce resume campaigns/s.1 # once the jobs of these points have ended" nuce status
expect 75 nuce resume
says stdout "0 points in 0 jobs submitted, 7 in jobs that were there, 2 failed in jobs that still run: when they have ended"

# Ending jobs: their unmeasured points will be missing, but are not submitted before the jobs have ended.
state COMPLETING NodeDown 'n0'
prints "points       12: 3 done, 2 failed, 7 missing" nuce status
says stdout "is ending: 3 points will be missing"
says stdout "is ending: 6 points will be missing"
says stdout "ending       9 of these points are in jobs that are ending"
! grep -q '^left' "$work/stdout" || fail "time is left for jobs that are ending"
expect 75 nuce resume
says stdout "0 points in 0 jobs submitted, 9 in jobs that are ending: when they have ended"
says stdout "again: nuce resume campaigns/s.1"
expect 0 nuce cancel
says stderr "is ending already"

# The node of one has failed, and its batch step still waits for a sample: it is ending too.
state NODE_FAIL None ''
exec 9>>campaigns/s.1/jobs/0001-0.lock
flock -n 9
prints "is ending: 3 points will be missing" nuce status 9>&-
exec 9>&-

# A node failed and one job is gone: nothing is queued any more.
sed -i '/^102|/d' "$FAKE_SLURM/jobs"
prints "3 done, 2 failed, 7 missing" nuce status s.1
says stdout "a node failed"
says stdout "ended: Slurm no longer knows it"
says stdout "next         nuce resume campaigns/s.1"

# One script was submitted by hand: its points are left to that job.
by_hand=$(cd campaigns/s.1/jobs && sed -n 's/.*--job-name=//p' 0001.sh)
echo "104|104|N/A|PENDING|$(id -un)|N/A||Priority|$by_hand" >>"$FAKE_SLURM/jobs"
prints "104 waits: jobs with a higher priority come first (submitted by hand)" nuce status
says stdout "points       12: 3 done, 3 queued, 2 failed, 4 missing"
before=$(wc -l <"$FAKE_SLURM/jobs")
expect 0 nuce resume
says stderr "3 points of jobs/0001.sh are left to job 104, submitted by hand"
says stdout "6 points in 1 job submitted, 3 in jobs that were there"
sed -i '/^10[34]|/d' "$FAKE_SLURM/jobs"
[ "$before" -gt 1 ] || fail "no job by hand"

# Slurm does not answer: the output has all that is known without it, and the status is 1.
echo 'slurm_load_jobs error: Unable to contact slurm controller' >"$FAKE_SLURM/squeue-fails"
expect 1 nuce status
says stdout "not known: squeue ended with status 1: slurm_load_jobs error: Unable to contact"
says stdout "3 done, 7 queued, 2 failed"
exec 9>>campaigns/s.1/jobs/0003-0.lock
flock -n 9
expect 1 nuce status 9>&-
says stdout "runs (Slurm not asked)"
! grep -q "submitted by hand" "$work/stdout" || fail "a job of nuce is said to be submitted by hand"
exec 9>&-
expect 1 nuce status --format json
says stdout '"state":"UNKNOWN"'
gives_up "nothing cancelled" nuce cancel
# --watch reports it too, and continues until Slurm answers or the user stops it.
"$work/bin/nuce" status --watch --interval 100ms >"$work/stdout" 2>"$work/stderr" &
watcher=$!
until grep -q "jobs not known: squeue ended with status 1: slurm_load_jobs error" "$work/stdout"; do
    kill -0 "$watcher" || fail "watching ended because Slurm did not answer"
    sleep 0.1
done
sleep 0.5
kill "$watcher" || fail "watching ended because Slurm did not answer"
wait "$watcher" || :
rm "$FAKE_SLURM/squeue-fails"

# Cancelling: ours, and neither another's nor one of the same name that somebody submitted.
expect 0 nuce resume s.1
name=$(tail -n 1 "$FAKE_SLURM/jobs" | cut -d'|' -f9)
before=$(cat "$FAKE_SLURM/jobs")
echo "900|900|N/A|RUNNING|$(id -un)|N/A|n0|None|somebody-elses" >>"$FAKE_SLURM/jobs"
echo "901|901|N/A|RUNNING|mallory|N/A|n0|None|$name" >>"$FAKE_SLURM/jobs"
gives_up "job 901 has the name $name, but is mallory's: left alone" nuce cancel
grep -q '^900|' "$FAKE_SLURM/jobs" || fail "another's job was cancelled"
grep -q '^901|' "$FAKE_SLURM/jobs" || fail "mallory's job was cancelled"
same "ours that wait" "$(grep -c '|PENDING|' "$FAKE_SLURM/jobs" || true)" 0
[ "$before" != "$(cat "$FAKE_SLURM/jobs")" ] || fail "nothing was cancelled"
sed -i '/^901|/d' "$FAKE_SLURM/jobs"
prints "0 jobs cancelled, 0 left" nuce cancel

# A job that Slurm may start again is cancelled also while it is ending.
rm -rf campaigns "$FAKE_SLURM/jobs"
small s
printf 'requeue: true\n' >requeue.yaml
expect 0 nuce submit s.yaml --profile requeue.yaml
state COMPLETING NodeDown 'n0'
prints "is ending: 6 points will be missing, unless Slurm starts it again (requeue)" nuce status
prints "2 jobs cancelled, 0 left" nuce cancel
[ ! -s "$FAKE_SLURM/jobs" ] || fail "a job that may start again is left"

# Stopped points have not failed; failed points are named, with the reason.
rm -rf campaigns "$FAKE_SLURM/jobs"
small s
expect 0 nuce submit s.yaml
measure 0001-0 interrupted 2
measure 0002-0 failed 3
edit_records 's/"status":"failed"/"message":"out of beer","status":"failed"/' \
    campaigns/s.1/records/0002-0-slurm-101-0-0.jsonl
: >"$FAKE_SLURM/jobs"
prints "points       12: 3 failed, 9 missing" nuce status
says stdout "2 had a run that was stopped before its end, which is no failure"
point=$(sed -n 's/.*"point":"\([0-9a-f]\{12\}\).*/\1/p' campaigns/s.1/jobs/0002-0.jsonl | head -n 1)
says stdout "$point failed: "
says stdout ": out of beer"
expect 0 nuce explain "$point"

# A job that died before its first point: the end of its log, and advice on resume.
rm -f campaigns/s.1/records/*
# (the last line may lack its end; at most the last six lines are shown)
printf 'line %s\n' 1 2 3 4 5 6 >campaigns/s.1/logs/0001-0-slurm-101-0-0.err
printf 'srun: error: Invalid MPI type' >>campaigns/s.1/logs/0001-0-slurm-101-0-0.err
echo 'nuce-job: cannot be started' >campaigns/s.1/logs/0002-102.out
echo "102|102|N/A|CANCELLED|$(id -un)|N/A||None|$(cd campaigns/s.1/jobs &&
    sed -n 's/.*--job-name=//p' 0002.sh)" >"$FAKE_SLURM/jobs"
sed -i 's/^102|102|/'"$(cat campaigns/s.1/jobs/0002.id)|$(cat campaigns/s.1/jobs/0002.id)|/" "$FAKE_SLURM/jobs"
mv campaigns/s.1/logs/0002-102.out "campaigns/s.1/logs/0002-$(cat campaigns/s.1/jobs/0002.id).out"
prints "ended before a point had begun; the end of its log, campaigns/s.1/logs/0001-0-slurm-101-0-0.err" nuce status
says stdout "| srun: error: Invalid MPI type"
says stdout "| line 2"
! grep -q "| line 1" "$work/stdout" || fail "more than the end of a log"
says stdout "a resume fails in the same way: first correct the error in the log"
says stdout "| nuce-job: cannot be started"
says stdout "it was stopped from outside: a resume can help"
# One whose prologue failed has noted it; one without any log ran on nodes that may not see the folder.
echo "nuce: the profile's modules and prologue, line 4, failed with status 127: nothing --now" >campaigns/s.1/jobs/0001-0-slurm-106-0.prologue
expect 0 nuce status
says stdout "ended before a point had begun: the profile's prologue failed, campaigns/s.1/jobs/0001-0-slurm-106-0.prologue"
says stdout "line 4, failed with status 127: nothing --now"
rm campaigns/s.1/jobs/0001-0-slurm-106-0.prologue
mkdir kept && mv campaigns/s.1/logs/0001-* kept
prints "ended before a point had begun; it has no log" nuce status
says stdout "do its nodes see $work/here/campaigns/s.1/logs, and can they write there? Look: srun ls -ld $work/here/campaigns/s.1/logs"
says stdout "Slurm no longer knows it"
says stdout "a folder that all nodes share: nuce submit --campaigns DIR"
# silent STATE NODES REASON: the first job ended so, and wrote nothing.
silent() {
    id=$(cat campaigns/s.1/jobs/0001.id)
    echo "$id|$id|N/A|$1|$(id -un)|N/A|$2|$3|$(sed -n 's/^#SBATCH --job-name=//p' campaigns/s.1/jobs/0001.sh)" >"$FAKE_SLURM/jobs"
    expect 0 nuce status
}
cp "$FAKE_SLURM/jobs" jobs.before
silent CANCELLED '' Resources
says stdout "was cancelled while it waited: nothing of it was started, and a resume submits it again"
! grep -q "see $work/here" "$work/stdout" || fail "a job that never started is said not to see the folder"
silent DEADLINE '' DependencyNeverSatisfied
says stdout "reached its deadline while it waited"
silent FAILED n1 'RaisedSignal:53(Real-time_signal_19)'
says stdout "it has no log: Slurm could not open its log, or go to its folder"
says stdout "Look: srun -w 'n1' ls -ld $work/here/campaigns/s.1/logs"
silent FAILED n1 NonZeroExitCode
says stdout "it has no log"
says stdout "do its nodes see $work/here/campaigns/s.1/logs, and can they write there? Look: srun -w 'n1' ls"
for state in NODE_FAIL PREEMPTED CANCELLED; do
    silent "$state" n1 None
    says stdout "it was stopped from outside: a resume can help"
    ! grep -q "do its nodes see" "$work/stdout" || fail "$state: it is said that nodes may not see the folder"
done
: >"campaigns/s.1/logs/0001-$id.out"
silent FAILED n1 NonZeroExitCode
says stdout "its log is empty"
says stdout "if the campaign's folder has no room"
echo 'slurmstepd: error: *** JOB 101 CANCELLED DUE TO TIME LIMIT ***' >"campaigns/s.1/logs/0001-$id.out"
silent TIMEOUT n1 TimeLimit
says stdout "it ran out of time: a resume helps if it gets more"
rm "campaigns/s.1/logs/0001-$id.out"
mv jobs.before "$FAKE_SLURM/jobs"
mv kept/* campaigns/s.1/logs
printf '#!/bin/sh\necho "libfabric: no such device" >&2\nexit 1\n' | program bad-mpiexec
expect 1 nuce run s.yaml --campaigns elsewhere --database there.db --mpiexec ./bad-mpiexec
expect 0 nuce status --campaigns elsewhere
says stdout "launch 0001  ended before a point had begun; the end of its log, elsewhere/s.1/logs/0001.err"
says stdout "| libfabric: no such device"

# --watch: a line for each change until all is over, then the whole status.
expect 2 nuce status --watch --format json
rm -rf campaigns "$FAKE_SLURM/jobs"
small s
expect 0 nuce submit s.yaml
nuce status --watch --interval 100ms >watched &
watcher=$!
until grep -q '12 queued' watched; do
    sleep 0.05
done
measure 0001-0 ok 6
until grep -q '6 done, 6 queued' watched; do
    sleep 0.05
done
: >"$FAKE_SLURM/jobs"
code=0
wait "$watcher" || code=$?
same "the status of watching what ended with 6 points missing" "$code" 1
grep -q '^missing      6 points have no run and no job' watched || fail "watching ended without the end"
same "lines said twice" "$(sed -n 's/^[^ ]* \(s.1: 12: \)/\1/p' watched | uniq -d)" ""
