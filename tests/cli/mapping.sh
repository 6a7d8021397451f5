#!/bin/sh
# nuce-model mapping: a placement worked out by hand, formats, the same seed twice, bad input. The mapping
# paper's figures from modelled points: networks as nuce-model draws them, a drawing of one, and invalid values of a
# sweep.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
cp "$programs/nuce-model" "$work/bin/nuce-model"

mapping() {
    "$work/bin/nuce-model" mapping "$@"
}

# Two switches of two nodes each; on paper: rows of a 2 x 2 mesh on a switch each, two edges cross.
cat >two.topology <<'EOF'
switch left right
node l0 left
node r0 right
node l1 left
node r1 right
EOF
expect 0 mapping --placement linear,bm --mesh 2x2 --topology two.topology --format json
same "lines" "$(wc -l <"$work/stdout")" 2
says stdout '{"placement":"linear","routing":"updown","ranks":4,"nodes":4,"switches":2,"links":1,"samples":1,"cardinality":2,'
says stdout '"processors":[0,1,2,3],"node_names":["l0","r0","l1","r1"]}'
# 2.94 us within a switch, 3.26 across: each process has one neighbour of each kind.
says stdout '"latency_us":{"0":3.1'
says stdout '"processors":[0,2,1,3],"node_names":["l0","l1","r0","r1"]}'

# The same network for Slurm, with a switch above both: two links between them; nodes for two ranks.
printf 'SwitchName=left Nodes=l[0-1]\nSwitchName=right Nodes=r[0-1]\n' >topology.conf
printf 'SwitchName=top Switches=left,right\n' >>topology.conf
expect 0 mapping --placement linear --mesh 2x2 --topology topology.conf --format json
says stdout '"switches":3,"links":2,"samples":1,"cardinality":4,'
prints '"cardinality":2,' mapping --placement linear --mesh 8 --per-node 2 --topology topology.conf --format json
says stdout '"processors":[0,0,1,1,2,2,3,3]'

# Measured: the same two leaves, derived from the times between them, and a switch above both.
{
    printf 'ranks 4\nmeasured 2026-11-21T10:00:00.123Z\n'
    printf 'host 0 l0\nhost 1 r0\nhost 2 l1\nhost 3 r1\n'
    awk 'BEGIN { for (i = 0; i < 4; i++) for (j = 0; j < 4; j++) if (i != j)
        print i, j, "1e-4", (i % 2 == j % 2 ? "3.9e6" : "1.02e6") }'
} >measured.network
expect 0 mapping --placement bm --mesh 2x2 --topology measured.network --format json
says stdout '"switches":3,"links":2,"samples":1,"cardinality":4,'
says stdout '"processors":[0,2,1,3],"node_names":["l0","l1","r0","r1"]}'
expect 0 mapping --placement bm --mesh 2x2 --topology measured.network --routing tree --format json

# A pattern: weights are the bytes of both directions.
printf '4\n0 3 7\n3 0 1\n0 1 2\n' >four.com
expect 0 mapping --placement linear,curve-swap --com four.com --topology two.topology --format json
says stdout '"placement":"linear","routing":"updown","ranks":4,"nodes":4,"switches":2,"links":1,"samples":1,"cardinality":10,'
says stdout '"placement":"curve-swap","routing":"updown","ranks":4,"nodes":4,"switches":2,"links":1,"samples":1,"cardinality":2,'

# The paper's network, all placements that need no library; the same again; another seed.
all=rm,sm,bm,bm-swap,linear,curve,curve-swap,bisection
without_seconds() {
    sed 's/"seconds":[^,]*,//' "$work/stdout"
}
expect 0 mapping --placement rm,sm,bm --mesh 16x16 --switches 75 --ports 8 --connectivity 0.75 --nodes 256 --seed 7 --format json
same "ranks placed" "$(sed -n '2s/.*"processors":\[\([0-9,]*\)\].*/\1/p' "$work/stdout" | tr ',' '\n' | sort -n | uniq | wc -l)" 256
says stdout '"switches":75,"links":129,'
without_seconds >first
expect 0 mapping --placement rm,sm,bm --mesh 16x16 --seed 7 --format json
without_seconds >second
cmp first second || fail "not the same twice, or the defaults are not the paper's network"
expect 0 mapping --placement rm,sm,bm --mesh 16x16 --seed 8 --format json
without_seconds >second
! cmp -s first second || fail "the same for another seed"
prints '"links":97,' mapping --placement rm --mesh 16x16 --connectivity-of all --format json

expect 0 mapping --placement "$all" --mesh 5x3x2 --samples 4 --routing tree --format csv
same "lines" "$(wc -l <"$work/stdout")" 9
says stdout 'placement,routing,ranks,nodes,switches,links,samples,cardinality,cardinality_sd,'
says stdout 'bisection,tree,30,256,75,129,4,'
prints 'cardinality_percent' mapping --mesh 8x8 --samples 3
prints '"cardinality":0,"latency_us":{"0":null,"10":null,"20":null}' mapping --mesh 1 --placement "$all" --format json
# A peer that may not be there.
status=0
mapping --mesh 8x8 --placement rm,scotch --format csv >"$work/stdout" 2>"$work/stderr" || status=$?
case $status in
0) says stdout 'scotch,updown,64,' ;;
2) says stderr 'scotch: this program was built without SCOTCH: install it (Debian: libscotch-dev)' ;;
*) fail "scotch ended with $status" ;;
esac
prints 'curve-swap' mapping --help
says stdout 'gain_percent'

worse() {
    text=$1
    shift
    refuses "$text" mapping "$@"
    same "stdout of $*" "$(cat "$work/stdout")" ""
}
worse "--ranks: not given, and no other option implies it"
worse "--mesh: '2x2': expected either a mesh or com" --mesh 2x2 --com four.com
worse "--mesh: '4x': expected up to 3 sides" --mesh 4x
worse "--placement: unknown placement 'bn' (did you mean 'bm'?); expected one of: rm, sm" --mesh 4x4 --placement bn
worse "--placement: unknown placement ''" --mesh 4x4 --placement rm,
worse "unknown routing 'up'" --mesh 4x4 --routing up
worse "samples" --mesh 4x4 --samples 0
worse "--format: 'xml'" --mesh 4x4 --format xml
worse "--switches: expected only without --topology" --mesh 2x2 --topology two.topology --switches 3
worse "two.topology: switch 'left' has 1 links and 2 nodes: expected at most 2 ports" \
    --mesh 2x2 --topology two.topology --ports 2
# Several roots: the ranks are on the nodes of one, at most as many as it has.
printf 'SwitchName=left Nodes=l[0-2]\nSwitchName=right Nodes=r[0-1]\n' >forest.conf
prints '"node_names":["l0","l1","l2"]' mapping --placement linear --mesh 3 --topology forest.conf --format json --layout
says stderr "note: forest.conf: no switch joins all nodes"
worse "--ranks: '4': switches join 3 of the network's 5 nodes at most: expected at most 3" \
    --mesh 4 --topology forest.conf
echo 'node l0 right' >>two.topology
worse "two.topology:6:6: node 'l0' a second time: expected each once, and it is on switch 'left'" \
    --mesh 2x2 --topology two.topology
printf 'SwitchName=a Switches=b\nSwitchName=b Switches=a\n' >loop.conf
worse "loop.conf:2:23: switch 'a' is below itself: expected a tree" --mesh 2x2 --topology loop.conf
printf 'SwitchName=a Nodes=n SwitchName=\033[31mred\n' >hostile.conf
worse "hostile.conf:1:" --mesh 2x2 --topology hostile.conf
! grep -q "$(printf '\033')" "$work/stderr" || fail "an escape sequence reached the terminal"
printf 'SwitchName=a Nodes=n\000\n' >zero.conf
worse "zero.conf:1:21: a zero byte" --mesh 2x2 --topology zero.conf
status=0
mapping --mesh 4x4 >/dev/full 2>/dev/null || status=$?
same "exit status with a full disk" "$status" 1

# Figures.
cat >few.yaml <<'YAML'
name: few
workload: mapping
ranks: [16, 256]
sweep: {placement: [rm, sm, bm], connectivity-of: [free, all], instances: 1}
YAML
expect 0 nuce run few.yaml --modelled --database few.db
same "points" "$(value "SELECT count(*) FROM run WHERE kind = 'modelled' AND status = 'ok'" few.db)" 12
same "links" "$(value "SELECT sum(DISTINCT network_links) FROM result" few.db)" 226
same "times of placing" "$(value "SELECT count(*) FROM result WHERE place_s > 0" few.db)" 12

# The same networks as nuce-model's samples.
for algorithm in rm bm; do
    "$work/bin/nuce-model" mapping --placement $algorithm --mesh 16x16 --samples 1 --format json >model.json
    expected=$(sed 's/.*"cardinality":\([^,]*\),.*"latency_us":{"0":\([^,]*\),.*/abs(avg(cardinality) - \1) < 1e-6 AND abs(1e6 * avg(latency_0_s) - \2) < 1e-6/' model.json)
    same "means of $algorithm" "$(value "SELECT $expected FROM result WHERE placement = '$algorithm' AND ranks = 256 AND network_links = 129" few.db)" 1
done
expect 0 nuce table mapping-figure7 --database few.db
grep -q '^saved relative to rm, %, 129 links *16x16 .* 15 .* 20$' "$work/stdout" || fail "Figure 7 without the paper's numbers"

# A sentence below a table stands with its statement, and whether that holds.
prints "6: latency saved by sm grows with the mesh (holds): " nuce table mapping-claims --database few.db
says stdout "(does not hold): "

# The user's own network, and the switch of each rank.
printf 'switch left right\nnode a left\nnode b left\nnode c right\nnode d right\n' >own.topology
cat >own.yaml <<'YAML'
name: own
workload: mapping
ranks: 4
sweep: {placement: [linear, bm], topology: own.topology, layout: true}
YAML
expect 0 nuce run own.yaml --modelled --database own.db
same "placed" "$(value "SELECT group_concat(switch, '') FROM (SELECT switch FROM placed JOIN result ON run = latest WHERE placement = 'linear' ORDER BY rank)" own.db)" 0011
same "tree" "$(value "SELECT count(*) FROM network_switch WHERE (number, level, place) IN (VALUES (0, 0, 0), (1, 1, 1)) AND coalesce(parent, 0) = 0" own.db)" 4
same "links" "$(value "SELECT count(*) FROM switch_link WHERE (a, b) = (0, 1)" own.db)" 2

# It is computed, not run; bad input.
refuses "the workload mapping is computed, no program runs it: expected --modelled" nuce run few.yaml --database few.db
refuses "expected 'nuce run --modelled'" nuce submit few.yaml
swept_worse() {
    printf 'name: bad\nworkload: mapping\nranks: 16\nsweep: {%s}\n' "$1" >bad.yaml
    refuses "$2" nuce run bad.yaml --modelled --database bad.db
}
swept_worse 'topology: own.topology, nodes: 8' "nodes"

command -v gnuplot >/dev/null || exit 0
expect 0 nuce figure mapping-figure7 --database few.db --format svg
grep -q 'saved relative to rm, %, 97 links' figures/mapping-figure7.svg || fail "Figure 7 without its panel"
expect 0 nuce figure mapping-topology --database own.db --format svg
grep -q '>bm: cardinality 2<' figures/mapping-topology.svg || fail "no drawing of bm"
