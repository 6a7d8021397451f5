#!/bin/sh
# `job-per-launch: true` gives each launch of a race a job of its own, and without it one job has them all; a lost job
# is one launch, and only that is submitted again; comparisons pool the launches of all jobs.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
fake_slurm
real_kernel nuce-exchange

# Real ranks: the interval of a ratio is over launches, which a fake kernel does not have.
cat >"$work/bin/srun" <<SH2
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do
    case \$1 in
    --ntasks=*) ranks=\${1#*=} ;;
    esac
    shift
done
exec "$3" -n "\$ranks" "\$@"
SH2

# sweep NAME MEASURE: two races of two contenders.
sweep() {
    cat >"$1.yaml" <<YAML
name: $1
workload: exchange
ranks: 2
sweep: {schedule: [lp, ac], pattern: uniform, degree: 1, item-bytes: [64B, 4KiB]}
measure: {launches: 3, warmup: 1, min-samples: 5, max-samples: 5$2}
slurm: {time: 60}
YAML
}

# parts CAMPAIGN: a line for each part: its points, of as many races, and the launches each is to have.
parts() {
    python3 - "$1" <<'PYTHON'
import glob, json, sys
for path in sorted(glob.glob(sys.argv[1] + "/jobs/*.jsonl")):
    lines = [json.loads(line) for line in open(path)]
    units = {line["params"]["item-bytes"] for line in lines}
    wanted = {line["wanted"] for line in lines}
    print(path.split("/")[-1], len(lines), "points", len(units), "races", *sorted(wanted))
PYTHON
}

# job TASK ID: a task of submission 1 of the campaign apart.
job() {
    env --chdir=campaigns/apart.1 SLURM_ARRAY_TASK_ID="$1" SLURM_JOB_ID="$2" SLURM_RESTART_COUNT=0 \
        "$work/bin/nuce-job" 1
}

sweep together ''
expect 0 nuce submit together.yaml
same "one job with all launches" "$(parts campaigns/together.1)" "0001-0.jsonl 4 points 2 races 3"

sweep apart ', job-per-launch: true'
prints "under Slurm each in a job" nuce plan apart.yaml
prints "4 points on 2 ranks in 3 jobs" nuce submit apart.yaml --dry-run
prints "4 points in 3 jobs submitted" nuce submit apart.yaml
says stderr "4 points on 2 ranks, an array"
same "three jobs with one launch each" "$(parts campaigns/apart.1)" "0001-0.jsonl 4 points 2 races 1
0001-1.jsonl 4 points 2 races 1
0001-2.jsonl 4 points 2 races 1"

# Two run; the third is lost with its node.
prints "0001-0: 4 points, 0 without a good run" job 0 301
expect 0 job 1 302
expect 0 nuce status apart.1
same "jobs that have done their launch" "$(grep -c '0 of 4 *4 of 4' "$work/stdout")" 2
same "jobs that have not" "$(grep -c '0 of 4 *0 of 4' "$work/stdout")" 1
sed -i '/|[01]|PENDING/d' "$FAKE_SLURM/jobs"
expect 0 nuce status apart.1
same "rows of jobs without those that have ended well" "$(grep -c '0 of 4 *0 of 4' "$work/stdout")" 1
! grep -q '4 of 4' "$work/stdout" || fail "a job that ended well, and has nothing left, is shown"
same "runs after two jobs" "$(ok_runs campaigns/apart.1)" 8
prints "points       4: 4 queued" nuce status apart.1
! grep -q '^missing' "$work/stdout" || fail "a run whose job waits is missing"
# Of two more only one is there: its points are queued, and what the lost one had is missing.
cp "$FAKE_SLURM/jobs" jobs.before
sweep part ', job-per-launch: true'
expect 0 nuce submit part.yaml
sed -i '/part/{/|[01]|/d}' "$FAKE_SLURM/jobs"
prints "points       4: 4 queued; runs 0 of 12" nuce status part.1
says stdout "missing      8 runs of 4 points under way have no job"
says stdout "next         nuce resume campaigns/part.1"
mv jobs.before "$FAKE_SLURM/jobs"
sed -i '/apart/d' "$FAKE_SLURM/jobs"
expect 0 nuce resume apart.1
same "what is submitted again" "$(parts campaigns/apart.1 | tail -n 1)" "0002-0.jsonl 4 points 2 races 1"
same "parts" "$(parts campaigns/apart.1 | wc -l)" 4
same "parts that were taken back" "$(cd campaigns/apart.1/jobs && echo *.void)" 0001-2.void
prints "0 points in 0 jobs submitted, 4 in jobs that were there" nuce resume apart.1
expect 0 env --chdir=campaigns/apart.1 SLURM_JOB_ID=304 SLURM_RESTART_COUNT=0 "$work/bin/nuce-job" 2
same "runs" "$(ok_runs campaigns/apart.1)" 12
prints "0 points in 0 jobs submitted" nuce resume apart.1

# Three launches, each of another job, in one ratio with an interval.
expect 0 nuce collect apart.1
same "launches of a ratio" \
    "$(value "SELECT group_concat(DISTINCT launches) || ' ' || count(ratio_low) FROM ratio
              WHERE contender <> 'reference'")" "3 4"
same "jobs of a race" \
    "$(value "SELECT count(DISTINCT race) || ' ' || count(DISTINCT job) FROM run WHERE status = 'ok'")" "2 3"
same "jobs of Slurm" \
    "$(value "SELECT group_concat(job, ' ') FROM (SELECT DISTINCT substr(job, 1, 9) AS job FROM run ORDER BY 1)")" \
    "slurm-301 slurm-302 slurm-304"
