#!/bin/sh
# Sweeps over how processes are started: variables of the environment, nodes, builds for several MPI
# libraries.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

# Each value of a variable is another instance, raced in starts of its own with that value.
program spy <<SH
#!/bin/sh
[ "\$1" = --version ] || echo "\${UCX_TLS-not set} \${FI_LOG-not set}" >>"$work/seen"
exec "$here/fake-mpiexec" "\$@"
SH
small env
sed -i 's/^sweep:.*/&\n  environment: {UCX_TLS: ["self,sm", tcp, ~]}/' env.yaml
export UCX_TLS=mine
prints "points       36" nuce plan env.yaml
says stdout "6 starts: one for each launch, rank count and way to start"
says stdout "UCX_TLS    self,sm (12), tcp (12), not set (12)"
expect 0 nuce run env.yaml --mpiexec ./spy
same "ok runs" "$(ok_runs campaigns/env.1)" 36
same "starts" "$(sort "$work/seen" | uniq -c | sed 's/^ *//' | tr '\n' ';')" \
    "2 not set not set;2 self,sm not set;2 tcp not set;"
same "races" "$(sed -n 's/.*"race":"\([0-9a-f]*\)".*/\1/p' campaigns/env.1/records/*.jsonl |
    sort -u | wc -l)" 18
same "instances" "$(value "SELECT count(DISTINCT json_extract(params, '\$.UCX_TLS'))
    || ' ' || count(*) FROM point")" "2 36"
point=$(sed -n 's/.*"launch":{"UCX_TLS":null}.*"point":"\([0-9a-f]\{12\}\).*/\1/p' \
    campaigns/env.1/plan.jsonl | head -n 1)
prints "again        env --unset=UCX_TLS mpiexec -n " nuce explain "$point"

# Invalid: unknown names, a factor twice, `nodes` on this machine.
cat >bad.yaml <<'YAML'
name: bad
workload: exchange
ranks: [4]
sweep:
  pattern: uniform
  degree: 1
  schedule: [ac]
  environment: {ucx: [1], SLURM_X: 1, UCX_TLS: {}}
  mpi: [nosuch]
  nodes: [0]
  ntask-per-node: 2
YAML
refuses "bad.yaml:8:17: environment: 'ucx': expected the name of a variable" nuce plan bad.yaml
says stderr "bad.yaml:8:27: environment: 'SLURM_X': Slurm sets its own variables"
says stderr "bad.yaml:9:9: mpi: 'nosuch': expected a library that the programs are built for: "
says stderr "bad.yaml:10:11: nodes: '0': expected at least 1"
says stderr "unknown key 'ntask-per-node' (did you mean 'ntasks-per-node'?)"
cat >nodes.yaml <<'YAML'
name: nodes
workload: exchange
ranks: [4]
sweep: {pattern: uniform, degree: 1, schedule: [ac, lp], nodes: [1, 2, 4]}
slurm: {time: "00:30:00"}
YAML
refuses "expected 'nuce submit'" launch run nodes.yaml

# Each number of nodes is a job of its own.
fake_slurm
prints "submitted    3 jobs of 1 to 4 nodes: at most 3.5 node-hours (by time limits)" nuce plan nodes.yaml
expect 0 nuce submit nodes.yaml
for nodes in 1 2 4; do
    grep -q -- "^sbatch.*--nodes=$nodes --ntasks=4 --ntasks-per-node=$((4 / nodes)) " \
        "$FAKE_SLURM/calls" || fail "no job on $nodes nodes"
done
sed -i 's/nodes: \[1, 2, 4\]/nodes: [8]/' nodes.yaml
refuses "nodes: 8 for the 4 ranks of some points: expected at most one per rank" nuce plan nodes.yaml

# A build that is not whole is none, before anything runs; doctor says so.
mkdir -p "$work/mpi/other/bin" "$work/mpi/other/share/nuce"
printf 'name other\nlauncher %s\n' "$here/fake-mpiexec" >"$work/mpi/other/share/nuce/mpi.conf"
small half
sed -i 's/^sweep:.*/&\n  mpi: [other]/' half.yaml
refuses "half.yaml:5:9: mpi: 'other': the build is incomplete: " nuce plan half.yaml
says stderr "nuce-exchange is missing"
nuce doctor >"$work/stdout" 2>&1 || true
says stdout "the build is incomplete"

# With a profile's programs it is the builds beside them that count.
mkdir -p nodes/bin nodes/mpi/third/bin nodes/mpi/third/share/nuce
for program in calibrate exchange redistribute stencil; do
    ln -s "$work/bin/nuce-exchange" "nodes/bin/nuce-$program"
    ln -s "$work/bin/nuce-exchange" "nodes/mpi/third/bin/nuce-$program"
done
ln -s "$work/bin/nuce-job" nodes/bin/nuce-job
printf 'name third\nlauncher %s\n' "$here/fake-mpiexec" >nodes/mpi/third/share/nuce/mpi.conf
echo 'programs: nodes/bin' >nodes.profile
sed 's/^name.*/name: far/; s/mpi: \[other\]/mpi: [third]/' half.yaml >far.yaml
refuses "far.yaml:5:9: mpi: 'third': expected a library that the programs are built for: " nuce submit far.yaml
prints "submitted " nuce plan far.yaml --profile ./nodes.profile
expect 0 nuce submit far.yaml --profile ./nodes.profile
expect 2 nuce submit half.yaml --profile ./nodes.profile
says stderr "half.yaml:5:9: mpi: 'other': expected a library that the programs are built for: mpi, third"

# Open MPI refuses root: the message comes before a campaign is made.
unset OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
program open-mpiexec <<SH
#!/bin/sh
[ "\$1" != --version ] || exec echo "mpiexec (OpenRTE) 4.1.4"
[ "\$1" != --oversubscribe ] || shift
exec "$here/fake-mpiexec" "\$@"
SH
small rooted
if [ "$(id -u)" = 0 ]; then
    expect 2 nuce run rooted.yaml --mpiexec ./open-mpiexec
    says stderr "Open MPI does not start programs as root: expected another user, or, in a container,"
    says stderr "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
    same "lines of it" "$(wc -l <"$work/stderr")" 1
    [ ! -s "$work/stdout" ] || fail "said something of a run"
    [ ! -e campaigns/rooted.1 ] || fail "a campaign was begun"
    mkdir -p "$work/mpi/openmpi/share/nuce" "$work/mpi/openmpi/bin"
    for program in calibrate exchange redistribute stencil; do
        ln -s "$work/bin/nuce-exchange" "$work/mpi/openmpi/bin/nuce-$program"
    done
    printf 'name openmpi\nlauncher %s\n' "$work/here/open-mpiexec" >"$work/mpi/openmpi/share/nuce/mpi.conf"
    sed 's/^name.*/name: both/; s/^sweep:.*/&\n  mpi: [openmpi]/' rooted.yaml >both.yaml
    prints "refused      by 'nuce run' here: Open MPI does not start programs as root" nuce plan both.yaml
    expect 2 launch run both.yaml
    [ ! -e campaigns/both.1 ] || fail "a campaign was begun"
fi
# The same holds when it would continue another launcher's campaign; if nothing is missing, nothing is asked.
if [ "$(id -u)" = 0 ]; then
    small begun
    expect 0 launch run begun.yaml
    expect 0 nuce resume begun.1 --mpiexec ./open-mpiexec
    rm campaigns/begun.1/records/*
    expect 2 nuce resume begun.1 --mpiexec ./open-mpiexec
    says stderr "Open MPI does not start programs as root: expected another user, or, in a container,"
    same "lines of it" "$(wc -l <"$work/stderr")" 1
    [ ! -s "$work/stdout" ] || fail "said something of a run"
    same "launches" "$(ls campaigns/begun.1/records)" ""
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
expect 0 nuce run rooted.yaml --mpiexec ./open-mpiexec
