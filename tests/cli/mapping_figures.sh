#!/bin/sh
# The mapping paper's figures from modelled points: networks as nuce-model draws them, a drawing of
# one, and what a sweep may not say.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
cp "$programs/nuce-model" "$work/bin/nuce-model"

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
grep -q '^saved beside rm, %, 129 links *16x16 .* 15 .* 20$' "$work/stdout" || fail "Figure 7 without the paper's numbers"

# A sentence below a table stands with its statement, and whether that holds.
prints "6: latency saved by sm grows with the mesh (holds): " nuce table mapping-claims --database few.db
says stdout "(does not hold): "

# A network of one's own, and who is on which switch.
printf 'switch left right\nnode a left\nnode b left\nnode c right\nnode d right\n' >two.topology
cat >own.yaml <<'YAML'
name: own
workload: mapping
ranks: 4
sweep: {placement: [linear, bm], topology: two.topology, layout: true}
YAML
expect 0 nuce run own.yaml --modelled --database own.db
same "placed" "$(value "SELECT group_concat(switch, '') FROM (SELECT switch FROM placed JOIN result ON run = latest WHERE placement = 'linear' ORDER BY rank)" own.db)" 0011
same "tree" "$(value "SELECT count(*) FROM network_switch WHERE (number, level, place) IN (VALUES (0, 0, 0), (1, 1, 1)) AND coalesce(parent, 0) = 0" own.db)" 4
same "links" "$(value "SELECT count(*) FROM switch_link WHERE (a, b) = (0, 1)" own.db)" 2

# It is computed, not run; bad input.
refuses "the workload mapping is computed, no program runs it: expected --modelled" nuce run few.yaml --database few.db
refuses "expected 'nuce run --modelled'" nuce submit few.yaml
worse() {
    printf 'name: bad\nworkload: mapping\nranks: 16\nsweep: {%s}\n' "$1" >bad.yaml
    refuses "$2" nuce run bad.yaml --modelled --database bad.db
}
worse 'mesh: 4x5' "mesh: '4x5': a mesh of 20 processes: expected one of 16, the ranks"
worse 'mesh: 4y4' "mesh: '4y4': expected up to 3 sides"
worse 'nodes: 8' "ranks: '16': the network has 8 nodes of 1 processor: expected at most 8"
worse 'connectivity: 0.1' "connectivity: '0.1': that is 17 links between 75 switches"
worse 'connectivity: 2' "connectivity: '2': expected 0 to 1"
worse 'switches: 1e9' "switches: '1000000000': expected 1 to 32768"
worse 'topology: two.topology' "ranks: '16': the network has 4 nodes of 1 processor"
worse 'topology: two.topology, nodes: 8' "nodes"
worse 'placement: bn' "bn"

command -v gnuplot >/dev/null || exit 0
expect 0 nuce figure mapping-figure7 --database few.db --format svg
grep -q 'saved beside rm, %, 97 links' figures/mapping-figure7.svg || fail "Figure 7 without its panel"
expect 0 nuce figure mapping-topology --database own.db --format svg
grep -q '>bm: cardinality 2<' figures/mapping-topology.svg || fail "no drawing of bm"
