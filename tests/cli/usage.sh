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
for subcommand in list plan run resume collect show query compare env table figure export bundle verify import \
    doctor; do
    expect 0 nuce "$subcommand" --help
    says stdout "Usage: nuce $subcommand"
    expect 2 nuce "$subcommand" --frobnicate
    nuce --help | grep -q "^  $subcommand " || fail "--help does not list $subcommand"
done

expect 2 nuce list
expect 2 nuce list algorithm
says stderr "did you mean 'algorithms'?"
expect 2 nuce list algorithms --format xml
expect 0 nuce list algorithms
says stdout "rs-n"
expect 0 nuce list algorithms --format csv
says stdout "name,kind,discipline,summary,source,needs"
expect 0 nuce list workloads --format json
says stdout '"name":"exchange"'
expect 0 nuce list values --format csv
says stdout "workload,option,value,program,model"
says stdout "stencil,algorithm,rb2,nuce-stencil,nuce-model arrays"
says stdout "stencil,weights,measured,nuce-stencil,nuce-model arrays"
says stdout "stencil,exchange,greedy,nuce-stencil,nuce-model arrays"
says stdout "exchange,mesh,wing-2800,nuce-exchange,nuce-model schedule"
says stdout "exchange,network,cm5,nuce-exchange,nuce-model schedule"
says stdout "exchange,placement,bm,nuce-exchange,"
says stdout "exchange,sync,barrier,nuce-exchange,"
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
nuce list algorithms >/dev/full 2>/dev/null || status=$?
same "exit status with a full disk" "$status" 1
