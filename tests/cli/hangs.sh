#!/bin/sh
# A launcher that starts no rank is ended with all that it started, and is named: by nuce run, by resume and
# by nuce-job, where srun waits for the step's own processors.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
fake_slurm

# One that ends on SIGTERM, and one that does not and has a child in a session of its own.
program hangs <<'SH'
#!/bin/sh
[ "$1" = --version ] || exec sleep 1000
SH
program stubborn <<'SH'
#!/bin/sh
[ "$1" = --version ] && exit
trap '' TERM
setsid sleep 1000 &
echo $! >straggler
while :; do
    sleep 1 # not exec: the child of a shell that ignores it ignores it too
done
SH

# short NAME: small NAME whose limits are over at once.
short() {
    small "$1"
    sed -i '/^measure:/d' "$1.yaml"
    echo 'measure: {launches: 1, timeout: 200ms, start: 300ms}' >>"$1.yaml"
}

short s
for launcher in hangs stubborn; do
    gives_up "after 0.5 s no rank of './$launcher -n " nuce run --mpiexec "./$launcher" s.yaml
    says stderr "nuce-exchange' had started, and it was ended ('start' and 'timeout' below 'measure:' set the limits)"
    says stdout ": 12 points: 12 not run"
    ! grep -q "srun --overlap" "$work/stderr" || fail "it speaks of a step where there is none"
done
# By its command line too: another process may have its number by now.
! tr "\0" " " <"/proc/$(cat straggler)/cmdline" 2>/dev/null | grep -q "^sleep 1000" ||
    fail "a process that the launcher started lives on"
prints "ended before a point had begun; the end of its log, campaigns/s.1/logs/0001.err" nuce status s.1
says stdout "| nuce: timeout: after 0.5 s no rank of './hangs -n "
expect 1 env SLURM_JOB_ID=7 SLURM_STEP_ID=0 "$work/bin/nuce" resume --mpiexec ./hangs s.1
says stderr "this shell is in a step of Slurm, which keeps its processors from the steps that launchers start: start nuce in the batch script or by 'srun --overlap', or, for MPICH on one node, set HYDRA_LAUNCHER=fork"

# In a job the launch is not tried again: the job would only hang as often.
rm -rf campaigns nuce.db
cp hangs "$work/bin/srun"
expect 0 nuce submit s.yaml
expect 1 env --chdir=campaigns/s.1 SLURM_JOB_ID=101 SLURM_RESTART_COUNT=0 "$work/bin/nuce-job" 1
says stderr "no rank of 'srun --ntasks="
same "launches" "$(find campaigns/s.1/launches -name '*-slurm-101-0-*.jsonl' | wc -l)" 1
