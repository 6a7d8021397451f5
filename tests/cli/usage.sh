#!/bin/sh
# Help, version, unknown subcommands and options: exit statuses and where the text goes.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

expect 0 nuce --help
says stdout "Subcommands:"
expect 0 nuce --version
says stdout "nuce 0."
expect 2 nuce
expect 2 nuce paln
says stderr "did you mean 'plan'?"
expect 2 nuce --frobnicate
says stderr "'--frobnicate': unknown option"
expect 0 nuce run --hel
says stdout "Usage: nuce run"
expect 2 nuce show --frobnicate --help
expect 2 nuce show --databas
says stderr "database: expected a value, FILE"
for subcommand in list plan run resume collect show query compare env table figure export bundle verify import \
    doctor; do
    expect 0 nuce "$subcommand" --help
    says stdout "Usage: nuce $subcommand"
    expect 2 nuce "$subcommand" --frobnicate
    nuce --help | grep -q "^  $subcommand " || fail "--help does not list $subcommand"
done

expect 2 nuce list
expect 2 nuce list schedule
says stderr "did you mean 'schedules'?"
expect 2 nuce list schedules --format xml
expect 0 nuce list schedules
says stdout "rs-n"
expect 0 nuce list schedules --format csv
says stdout "name,discipline,needs,summary,source"
expect 0 nuce list decompositions
says stdout "xy2"
expect 0 nuce list placements
says stdout "curve-swap"
expect 2 nuce list algorithms
says stderr "schedules, decompositions, placements"
expect 0 nuce list workloads --format json
says stdout '"name":"exchange"'
expect 0 nuce list values --format csv
says stdout "workload,option,value,program,model"
says stdout "stencil,decomposition,rb2,nuce-stencil,nuce-model arrays"
says stdout "stencil,weights,measured,nuce-stencil,nuce-model arrays"
says stdout "stencil,schedule,greedy,nuce-stencil,nuce-model arrays"
says stdout "exchange,mesh,wing-2800,nuce-exchange,nuce-model schedule"
says stdout "exchange,network,cm5,nuce-exchange,nuce-model schedule"
says stdout "exchange,placement,bm,nuce-exchange,"
says stdout "exchange,wait,spin,nuce-exchange,"
says stdout "speeds,network,measured,nuce-calibrate speeds,"
says stdout "mapping,routing,updown,,nuce-model mapping"
expect 0 nuce list figures
expect 0 nuce list configs
says stdout "quick"
expect 0 nuce list profiles
says stdout "srun with PMI-2: MPICH, MVAPICH and Intel MPI."
says stdout "slurm/profiles/srun-pmi2.yaml"
says stdout "srun-pmix"
expect 2 nuce run
expect 2 nuce run x --max-ranks 0
expect 2 nuce resume nothing
says stderr "no such campaign"
expect 2 nuce resume
says stderr "no campaign there"
status=0
nuce list schedules >/dev/full 2>/dev/null || status=$?
same "exit status with a full disk" "$status" 1

# A reader that goes away is no error to tell of. The reader waits for the pipe to be gone.
broken() {
    mkfifo pipe
    "$@" 2>"$work/stderr" >pipe &
    head -c 1 <pipe >/dev/null
    status=0
    wait $! || status=$?
    rm pipe
    same "status of '$*' without a reader" "$status" 141
    [ ! -s "$work/stderr" ] || fail "'$*' without a reader says: $(cat "$work/stderr")"
}
# More than a pipe holds.
small many
sed -i 's/unit: .*/unit: 16B\n  instances: 200/' many.yaml
broken nuce plan many.yaml --format json
broken nuce plan many.yaml --format csv
cp "$programs/nuce-model" "$work/bin/"
expect 0 nuce run many.yaml --modelled
broken nuce show runs
broken nuce query "SELECT * FROM run, (SELECT id FROM point LIMIT 3)"

# -h is --help, wherever that is.
expect 0 nuce -h
says stdout "Subcommands:"
for subcommand in $(nuce -h | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    expect 0 nuce "$subcommand" -h
    says stdout "Usage: nuce $subcommand "
done
for program in nuce-exchange nuce-stencil nuce-redistribute nuce-calibrate nuce-model nuce-job; do
    expect 0 "$programs/$program" -h
    says stdout "Usage: $program "
done
expect 0 "$programs/nuce-model" schedule -h
says stdout "Usage: nuce-model schedule "
expect 0 "$programs/nuce-calibrate" speeds -h
says stdout "Usage: nuce-calibrate speeds "

# Without Slurm and without a profile: which there are, and how to get a cluster.
expect 2 env PATH="$work/none" "$work/bin/nuce" submit many.yaml
says stderr "sbatch: not in PATH"
says stderr "--profile NAME|FILE says how a cluster is used; with nuce come cray, mpiexec, srun-pmi2, srun-pmix, virtual"
says stderr "slurm/virtual/cluster up --nodes 8', as root"
says stderr "nuce submit many.yaml --profile virtual"
expect 2 env PATH="$work/none" "$work/bin/nuce" submit many.yaml --profile srun-pmi2
! grep -q 'no cluster at hand' "$work/stderr" || fail "advice where a profile is named"
