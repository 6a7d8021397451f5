#!/bin/sh
# Help, version, unknown subcommands and options: exit statuses and where the text goes.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

prints "Subcommands:" nuce --help
prints "nuce 0." nuce --version
expect 2 nuce
refuses "did you mean 'plan'?" nuce paln
refuses "'--frobnicate': unknown option" nuce --frobnicate
prints "Usage: nuce run" nuce run --hel
expect 2 nuce show --frobnicate --help
refuses "database: expected a value, FILE" nuce show --databas
expect 2 nuce list
refuses "did you mean 'schedules'?" nuce list schedule
expect 2 nuce list schedules --format xml
prints "rs-n" nuce list schedules
prints "name,label,discipline,needs,summary,source" nuce list schedules --format csv
prints "xy2" nuce list decompositions
prints "curve-swap" nuce list placements
refuses "schedules, decompositions, placements" nuce list algorithms
prints '"name":"exchange"' nuce list workloads --format json
prints "workload,option,value,program,model" nuce list values --format csv
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
prints "quick" nuce list sweeps
prints "srun with PMI-2: MPICH, MVAPICH and Intel MPI." nuce list profiles
says stdout "slurm/profiles/NAME.yaml"
says stdout "srun-pmix"
expect 2 nuce run
expect 2 nuce run x --max-ranks 0
refuses "no such campaign" nuce resume nothing
refuses "campaigns: no campaign found; create one with 'nuce run' or 'nuce submit'" nuce resume
status=0
nuce list schedules >/dev/full 2>/dev/null || status=$?
same "exit status with a full disk" "$status" 1

# A reader that goes away is not an error to tell of. The reader waits for the pipe to be gone.
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
sed -i 's/item-bytes: .*/item-bytes: 16B\n  instances: 200/' many.yaml
broken nuce plan many.yaml --format json
broken nuce plan many.yaml --format csv
cp "$programs/nuce-model" "$work/bin/"
expect 0 nuce run many.yaml --modelled
broken nuce show runs
broken nuce query "SELECT * FROM run, (SELECT id FROM point LIMIT 3)"

# -h is --help, wherever that is.
prints "Subcommands:" nuce -h
for subcommand in list plan run resume collect show query compare env table figure export bundle verify import doctor; do
    says stdout "  $subcommand "
done
for subcommand in $(nuce -h | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    prints "Usage: nuce $subcommand " nuce "$subcommand" -h
    expect 2 nuce "$subcommand" --frobnicate
done
for program in nuce-exchange nuce-stencil nuce-redistribute nuce-calibrate nuce-model nuce-job; do
    prints "Usage: $program " "$programs/$program" -h
done
prints "Usage: nuce-model schedule " "$programs/nuce-model" schedule -h
prints "Usage: nuce-calibrate speeds " "$programs/nuce-calibrate" speeds -h

# Every help ends in examples (cli.documented tries them). No line is wide, and none is laid out as a heading by
# mistake.
examples() {
    prints "Examples:" "$@" --help
    ! grep '^ \{30,\}--[a-z-]*=' "$work/stdout" || fail "help of '$*' is laid out badly"
    ! grep '.\{81\}' "$work/stdout" || fail "help of '$*' is wide"
}
examples nuce
for subcommand in $(nuce -h | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    examples nuce "$subcommand"
done
for program in nuce-exchange nuce-stencil nuce-redistribute nuce-calibrate nuce-model nuce-job nuce-bench; do
    examples "$programs/$program"
done
for model in $("$programs/nuce-model" -h | sed -n '/^Models:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    examples "$programs/nuce-model" "$model"
done
for workload in $("$programs/nuce-calibrate" -h | sed -n '/^Workloads:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    examples "$programs/nuce-calibrate" "$workload"
done
prints "Usage: " "$programs/nuce-exchange" --help
! grep -q -e '--facts' "$work/stdout" || fail "options of the harness are in the help of nuce-exchange"

# Without Slurm and without a profile: which there are, and how to get a cluster.
refuses "sbatch: not in PATH" env PATH="$work/none" "$work/bin/nuce" submit many.yaml
says stderr "--profile NAME|FILE says how a cluster is used; nuce ships cray, mpiexec, srun-pmi2, srun-pmix, virtual"
says stderr "slurm/virtual/cluster up --nodes 8', as root"
says stderr "nuce submit many.yaml --profile virtual"
expect 2 env PATH="$work/none" "$work/bin/nuce" submit many.yaml --profile srun-pmi2
! grep -q 'no cluster at hand' "$work/stderr" || fail "advice where a profile is named"
