#!/bin/sh
# rebalance.sh MPIEXEC PROGRAM RANKS: arrays that are cut anew while they are swept over: under every
# algorithm that carries a halo, and for every decision; every run must end as ok, with every cell as
# in a serial run.
set -eu
# shellcheck source=tests/kernels/common.sh
. "$(dirname "$0")/common.sh"
mpiexec=$1 program=$2 ranks=$3
bin=$(dirname "$program")
begin

# Speeds that turn around after 4 of 16 iterations, and are equal after 10.
first=$(seq -s , "$ranks")
second=$(seq -s , "$ranks" -1 1)
third=$(seq -s , "$ranks" | sed 's/[0-9][0-9]*/1/g')

# run WANTED OPTIONS...: so many points, all ok.
run() {
    wanted=$1
    shift
    "$mpiexec" -n "$ranks" "$program" --rows 61 --columns 47 --iterations 16 --look-every 2 \
        --emulate-speeds "$first" --min-samples 3 --max-samples 3 --timeout 2min --format json "$@" \
        >out 2>err || fail "$*"
    [ "$(grep -c '"status":"ok"' out)" -eq "$wanted" ] || fail "$*: expected $wanted that are ok"
}

# number KEY: of each line.
number() {
    sed -n "s/.*\"$1\":\([0-9.e+-]*\).*/\1/p" out
}

# each KEY CONDITION OPTIONS...: so many lines as there are points have KEY, and it is so.
each() {
    key=$1 condition=$2
    shift 2
    [ "$(number "$key" | wc -l)" -eq "$wanted" ] || fail "$*: expected $key in every line"
    number "$key" | awk "!(\$1 $condition) { exit 1 }" || fail "$*: expected $key $condition"
}

twice="--speeds-after 4:$second/10:$third"

# never: the time of an iteration is separate for each set of speeds, and nothing is moved.
# shellcheck disable=SC2086 # words
run 1 --decomposition xy2 $twice
each iteration_before_s "> 0" never
each iteration_changed_s "> 0" never
if grep -qE '"(rebalances|moved_bytes|iteration_after_s)":[0-9]' out; then
    fail "never: expected nothing to be cut anew"
fi

# Every schedule that needs only a pattern moves the cells.
exchanges=$("$bin/nuce" list schedules --format json |
    grep -vE "\"name\":\"(${NUCE_WITHOUT:-none})\"" | grep '"needs":"pattern"' |
    sed 's/.*"name":"\([^"]*\)".*/\1/')
# shellcheck disable=SC2086 # words
run "$(echo "$exchanges" | wc -l)" --schedule "$(echo "$exchanges" | paste -s -d , -)" --decomposition xy2 \
    --iterations 6 --rebalance after-change --speeds-after "2:$second" --min-samples 1 --max-samples 1
each rebalances "<= 1" after-change
each rebalance_s "> 0" after-change
# Where a rank is kept from computing for long its part would have no cells, and nothing is moved.
number moved_bytes | awk '{ moved += $1 > 0 } END { exit !(moved > NR / 2) }' || fail "after-change: expected moves"
number move_s | awk '{ moved += $1 > 0 } END { exit !(moved > NR / 2) }' || fail "after-change: expected moves"

for options in "--decomposition rb,tile,slabs,strips" "--decomposition xy2,rb2,xy --stencil 9 --border periodic" \
    "--decomposition xy2,xy2-all --halo-depth 3 --element float" "--decomposition xy2,rb --overlap" \
    "--decomposition xy2,rb --overlap --halo-depth 2 --stencil 9 --border periodic"; do
    list=${options#--decomposition }
    count=$(echo "${list%% *}" | tr , '\n' | wc -l)
    # shellcheck disable=SC2086 # words
    run "$count" --rebalance every-look $twice $options
    each rebalances "> 0" "$options"
    each iteration_after_s "> 0" "$options"
done

# after-change: at most once for each change; a decomposition that ignores speeds moves nothing.
# shellcheck disable=SC2086 # words
run 1 --decomposition rb --rebalance after-change $twice
each rebalances "<= 2" after-change
# shellcheck disable=SC2086 # words
run 1 --decomposition grid --rebalance every-look $twice
each rebalances "== 0" grid

# when-it-pays: with a network that gives the cost of moving; never if that is an hour.
{
    echo "ranks $ranks"
    for i in $(seq 0 $((ranks - 1))); do
        for k in $(seq 0 $((ranks - 1))); do
            [ "$i" -eq "$k" ] || echo "$i $k 3600 1e9"
        done
    done
} >slow.network
# shellcheck disable=SC2086 # words
run 1 --decomposition slabs --rebalance when-it-pays --network slow.network $twice
each rebalances "== 0" when-it-pays
each cut_predicted_s ">= 3600" when-it-pays
each saving_predicted_s "> -7200" when-it-pays
# Constant speeds and equal weights: there are no times of before and after.
run 1 --decomposition xy2 --rebalance when-it-pays --weights equal
each rebalances ">= 0" when-it-pays

# As the harness: points from one file, records into another.
printf 'name: rebalance-points\nworkload: stencil\nranks: [%d]\nsweep:\n  rows: [40]\n  columns: [30]\n  iterations: [9]\n  emulate-speeds: ["%s"]\n  speeds-after: ["2:%s"]\n  rebalance: [never, after-change, every-look]\n  look-every: [2]\nmeasure: {launches: 1, min-samples: 6, max-samples: 6}\n' \
    "$ranks" "$first" "$second" >sweep.yaml
"$bin/nuce" run sweep.yaml >out 2>err || fail "nuce run"
[ "$("$bin/nuce" query "SELECT count(*) FROM result WHERE iteration_before_s > 0
    AND (json_extract(params, '$.rebalance') IS NULL) = (rebalances IS NULL)
    AND (json_extract(params, '$.rebalance') IS NULL) = (rebalance_low_s IS NULL)
    AND (json_extract(params, '$.rebalance') IS NULL) = (move_high_s IS NULL)" --format csv | tail -1)" = 3 ] ||
    fail "nuce run: expected 3 points"
