#!/bin/sh
# placement.sh MPIEXEC PROGRAMS SIMULATED: processes on the nodes of a placement, on a synthetic topology: model,
# moves and verification, and refused input. SIMULATED: 1 where SimGrid is there.
set -eu
# shellcheck source=tests/kernels/common.sh
. "$(dirname "$0")/common.sh"
mpiexec=$1 programs=$2 simulated=$3
begin

# start STATUS RANKS PROGRAM OPTIONS...
start() {
    wanted=$1 ranks=$2 program=$3
    shift 3
    status=0
    "$mpiexec" -n "$ranks" "$programs/$program" --min-samples 2 --max-samples 2 --format json "$@" >out 2>err ||
        status=$?
    [ "$status" -eq "$wanted" ] || fail "$program $*: exit status $status, expected $wanted"
}

# bad MESSAGE OPTIONS...: on two ranks.
bad() {
    message=$1
    shift
    start 2 2 nuce-exchange --pattern uniform --degree 1 "$@"
    grep -qF -- "$message" err || fail "$*: expected: $message"
    ! grep -q '"status":"ok"' out || fail "$*: a result"
}

# value KEY: of the only row.
value() {
    sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p" out
}

# Two leaves of four below a root; the file names the nodes of one rank after the other.
{
    printf 'switch left root\nswitch right root\n'
    for node in a b c d; do printf 'node %s left\n' $node; done
    for node in e f g h; do printf 'node %s right\n' $node; done
} >two.topology
on="--topology two.topology --topology-nodes in-order"

# A mesh of 2 x 4, in which rank after rank cuts the four long borders of 100 cells, of 8 bytes both
# ways, and the best the two short ones of 50: twice, for there are two links between leaves.
stencil="--decomposition grid --rows 100 --columns 400"
# shellcheck disable=SC2086 # several words
start 0 8 nuce-stencil $stencil --placement rm,sm,bm,bm-swap,linear,curve,curve-swap,bisection,mpi-reorder $on
mv out all.out
for placement in rm sm bm bm-swap linear curve curve-swap bisection mpi-reorder; do
    grep "\"placement\":\"$placement\"" all.out >out || fail "$placement: no row"
    same "$placement: status" "$(value status)" ok
    case $placement in
    rm) [ "$(value placement_moved)" -gt 0 ] || fail "rm moves nothing" ;;
    linear | mpi-reorder)
        same "$placement: cardinality" "$(value placement_cardinality)" 12800.0
        [ "$placement" = mpi-reorder ] || same "moved" "$(value placement_moved)" 0
        ;;
    *) same "$placement: cardinality" "$(value placement_cardinality)" 3200.0 ;;
    esac
done

# In the file's order the nodes of ranks alternate between the leaves: linear puts that right.
{
    printf 'switch left root\nswitch right root\n'
    for i in 0 1 2 3; do printf 'node l%s left\nnode r%s right\n' $i $i; done
} >turns.topology
# shellcheck disable=SC2086
start 0 8 nuce-stencil $stencil --placement linear --topology turns.topology --topology-nodes in-order
same "linear, by turns: moved" "$(value placement_moved)" 0

# Meshes, patterns and ways to exchange: the payload is verified, and process 0 is not rank 0.
for options in "--mesh wing-2800 --schedule ac,rs-n,alltoallv,neighbor,node-aware,preemptive" \
    "--mesh wing-2800 --schedule ac --overlap" "--pattern uniform --degree 3 --schedule lp,rma"; do
    # shellcheck disable=SC2086
    start 0 5 nuce-exchange $options --placement rm,mpi-reorder $on --seed 2
    ! grep -vq '"status":"ok"' out || fail "$options: not ok"
done
start 0 8 nuce-stencil --placement bisection --weights 1,2,3,4,5,6,7,8 --overlap --topology two.topology \
    --topology-nodes in-order --rows 90 --columns 70
same "unequal parts: status" "$(value status)" ok
[ "$(value load_balance)" != null ] || fail "what process 0 knows does not come to rank 0"

# Traced transfers name processes, and are gathered on rank 0.
# shellcheck disable=SC2086
start 0 5 nuce-exchange --pattern nearest --schedule ac --item-bytes 64B --placement rm $on --trace
same "trace: events lost" "$(value events_lost)" 0

# Ranks of one node, by the name of this host.
printf 'node other s\nnode %s s\n' "$(hostname)" >here.topology
start 0 4 nuce-exchange --pattern uniform --degree 2 --schedule ac --placement bm --topology here.topology
same "one node: moved" "$(value placement_moved)" 0
same "one node: cardinality" "$(value placement_cardinality)" 0.0
start 0 4 nuce-exchange --pattern uniform --degree 2 --schedule ac --placement mpi-reorder
same "mpi-reorder without a topology" "$(value placement_cardinality)" null

# Groups of nodes for a schedule that looks at them, by the name of this host, also where a placement renumbers ranks;
# the other contender of the race does without.
printf 'switch s t\nnode other s\nnode %s t\n' "$(hostname)" >groups.topology
start 0 4 nuce-exchange --pattern uniform --degree 2 --schedule ac,twill --in-flight 2 --group-topology groups.topology
grep -q '"in_flight_taken":2,' out || fail "twill: not 2 in flight"
grep -q '"group-topology":"groups.topology@' out || fail "the record does not say whose groups"
start 0 4 nuce-exchange --pattern uniform --degree 2 --schedule twill --placement bm --topology groups.topology
bad "group-ranks: not given, and neither network nor topology says which nodes are under one switch" --schedule twill
bad "topology: two.topology: no node '$(hostname)', on which rank 0 runs" \
    --schedule ac --placement rm --topology two.topology
# shellcheck disable=SC2086
start 2 8 nuce-stencil $stencil --placement rm $on --weights measured
grep -qF "placement: weights: 'measured'" err || fail "weights that are not known yet"

# In a job of Slurm its topology.conf is read.
mkdir conf
printf 'SwitchName=leaf Nodes=%s\n' "$(hostname)" >conf/topology.conf
SLURM_JOB_ID=7 SLURM_CONF=$folder/conf/slurm.conf start 0 4 nuce-exchange --pattern uniform --degree 2 \
    --schedule ac --placement sm
case $(value topology_taken) in
topology.conf@*) ;;
*) fail "the topology of Slurm: $(value topology_taken)" ;;
esac

# On a simulated machine the topology is that of the platform; the model's results are the same.
[ "$simulated" = 1 ] || exit 0
"$programs/nuce-model" platform irregular --ranks 8 --switches 4 --ports 6 --seed 3 >machine.xml
cat >sweep.yaml <<'EOT'
name: placed
workload: stencil
ranks: 8
platform: machine.xml
sweep:
  decomposition: grid
  rows: 80
  columns: 160
  schedule: ac
  placement: [linear, rm, bm]
measure: {launches: 1, warmup: 1, min-samples: 1, max-samples: 1}
EOT
"$programs/nuce" run sweep.yaml >out 2>err || fail "simulated"
"$programs/nuce" query "SELECT placement, placement_moved > 0, placement_cardinality >= 1280,
    substr(topology_taken, 1, 13), communication_s > 0 FROM result WHERE kind = 'simulated'
    ORDER BY placement" >out
for line in "bm 1 1 platform.xml@ 1" "linear 0 1 platform.xml@ 1"; do
    tr -s ' ' <out | grep -qxF "$line" || fail "simulated: expected $line"
done

# Its switches are the groups for a schedule that looks at these.
cat >groups.yaml <<'EOT'
name: groups
workload: exchange
ranks: 8
platform: machine.xml
sweep: {schedule: [ac, twill], pattern: uniform, degree: 4}
measure: {launches: 1, warmup: 1, min-samples: 1, max-samples: 1}
EOT
"$programs/nuce" run groups.yaml >out 2>err || fail "simulated: groups"
same "simulated: twill" \
    "$("$programs/nuce" query "SELECT count(*) FROM result WHERE kind = 'simulated' AND schedule = 'twill'" |
        tail -n 1 | tr -d ' ')" 1
