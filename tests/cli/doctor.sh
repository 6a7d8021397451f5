#!/bin/sh
# nuce doctor: a line a check, ok, missing or wrong; the exit status is of those that are required.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

# world RANKS...: a launcher that starts, for each, a program which says that it has so many.
world() {
    {
        echo '#!/bin/sh'
        # shellcheck disable=SC2016 # for the launcher's shell
        echo '[ "$1" != --version ] || { echo "HYDRA build details:"; exit 0; }'
        for ranks in "$@"; do
            [ "$ranks" -eq 1 ] && plural='' || plural=s
            echo "echo '$ranks rank$plural, 4 processors usable, MPICH 9.9, a processor'"
        done
    } | program "$work/world"
}
# doctor STATUS ARGUMENT...: its rows are in rows.csv.
doctor() {
    wanted_status=$1
    shift
    expect "$wanted_status" nuce doctor --mpiexec "$work/world" --format csv "$@"
    cp "$work/stdout" rows.csv
}
# state NAME STATE [TEXT]
state() {
    grep -q "^$1,$2," rows.csv || fail "$1 is not $2: $(grep "^$1," rows.csv)"
    grep "^$1," rows.csv | grep -qF -- "${3:-}" || fail "$1 does not say: $3"
}

command -v gnuplot >/dev/null || {
    echo "skipped: gnuplot is not installed" >&2
    exit 77
}
world 2
doctor 0
same "names" "$(head -n 1 rows.csv)" "name,state,what,advice,required"
for name in launcher ranks mpi-builds processors load governor clock drift counters papi sqlite locks database \
    gnuplot slurm slurm-controller slurm-mpi scalapack scotch simgrid hwloc; do
    grep -qE "^$name,(ok|missing|wrong|warning)," rows.csv || fail "doctor does not look for $name"
done
for name in launcher ranks sqlite locks database gnuplot; do
    state "$name" ok
    grep -q "^$name,.*,yes$" rows.csv || fail "$name is not required"
done
state ranks ok "MPICH 9.9"
grep -qE '^scalapack,(ok,.*scalapack|missing,built without)' rows.csv ||
    fail "doctor does not look for ScaLAPACK"
# Advice does not repeat settings that are already made.
if [ "$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo 3)" -le 2 ]; then
    ! grep -q 'perf_event_paranoid=' rows.csv || fail "doctor advises what is so already"
fi
expect 0 nuce doctor --mpiexec "$work/world" --format json
same "lines" "$(grep -c '^{"name":"' "$work/stdout")" "$(($(wc -l <rows.csv) - 1))"
prints "All required components are present." nuce doctor --mpiexec "$work/world"
# Records of before variables were kept by a list.
mkdir -p campaigns/old.1/records
cat >campaigns/old.1/records/a.jsonl <<'EOF'
{"record":"job","version":1,"described":{"variables":{"UCX_TLS":"tcp"}},"facts":{"variables":{"SLURM_JWT":"x"}}}
EOF
doctor 0
state credentials wrong "campaigns/old.1/records/a.jsonl"
sed -i 's/SLURM_JWT/SLURM_JOB_ID/' campaigns/old.1/records/a.jsonl
doctor 0
state credentials ok
rm -r campaigns/old.1
doctor 0
# Each check that is not ok has advice, on a line of its own.
awk -F '\t' '{ state = $0; sub(/^[a-z-]+ +/, "", state) } advised && !/^ +-> / { exit 1 }
    { advised = state ~ /^(missing|wrong|warning) / }' "$work/stdout" || fail "a line without advice"
same "advice" "$(grep -c '^ *-> ' "$work/stdout")" "$(grep -cE '^[a-z-]+ +(missing|wrong|warning) ' "$work/stdout")"
same "advice in rows" "$(grep -cE '^[a-z-]+,(missing|wrong|warning),.*,,(yes|no)$' rows.csv || true)" 0
expect 2 nuce doctor more

# A launcher of another MPI, one that fails, and none.
world 1 1
doctor 1
state ranks wrong "not one world"
expect 1 nuce doctor --mpiexec "$work/world"
says stdout "not ok, and required: ranks"
printf '#!/bin/sh\necho no network >&2\nexit 3\n' >"$work/world"
doctor 1
state launcher missing
state ranks wrong "status 3: no network"
rm "$work/world"
doctor 1
state launcher missing
world 2
# Where nothing can be written, or locked.
doctor 1 --database nowhere/nuce.db
state database wrong "nowhere/"
# Slurm that answers, and knows a way to start MPI.
fake_slurm
for program in sbatch scontrol srun; do
    rm "$work/bin/$program"
    printf '#!/bin/sh\necho "slurm 99.1: pmi2 none"\n' | program "$work/bin/$program"
done
doctor 0
state slurm ok "slurm 99.1"
state slurm-controller ok
state slurm-mpi ok pmi2
printf '#!/bin/sh\necho "none"\n' >"$work/bin/srun"
# shellcheck disable=SC2016 # for its own shell
printf '#!/bin/sh\n[ "$1" = --version ] || { echo "controller is DOWN"; exit 1; }\n' \
    >"$work/bin/scontrol"
doctor 0
state slurm-controller wrong "is DOWN"
state slurm-mpi wrong
# No gnuplot, or one without a terminal.
printf '#!/bin/sh\necho "gnuplot 9.9"; echo " svg pngcairo "\n' | program "$work/bin/gnuplot"
doctor 1
state gnuplot wrong "without the terminal pdfcairo"
rm "$work/bin/gnuplot"
mkdir "$work/none"
ln -s "$(command -v sh)" "$work/none/sh"
before=$PATH
status=0
PATH="$work/none" "$work/bin/nuce" doctor --mpiexec "$work/world" --format csv >rows.csv || status=$?
PATH=$before
same "exit status" "$status" 1
state gnuplot missing
