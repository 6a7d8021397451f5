#!/bin/sh
# A race whose contenders do not fit into a node's memory together is split into launches that share its
# reference: each contender has all its launches, and the ratio to the reference an interval.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
cp "$programs/nuce-stencil" "$work/bin/nuce-stencil"

# Each contender has two planes of 1400 x 1400 values in all, 31 MB.
cat >wide.yaml <<YAML
name: wide
workload: stencil
ranks: 2
sweep: {decomposition: [grid, xy2, rb2], rows: 1400, columns: 1400}
measure: {launches: 2, warmup: 1, min-samples: 2, max-samples: 2}
YAML

sed 's/launches: 2/launches: 1/' wide.yaml >once.yaml

# starts: the contenders recorded in each start, in the order of the starts.
starts() {
    for file in campaigns/wide."$1"/records/*.jsonl; do
        sed -n 's/.*"decomposition":"\([^"]*\)".*/\1/p' "$file" | tr '\n' ' '
        echo
    done
}

expect 0 nuce run once.yaml
same "starts where there is room" "$(starts 1)" "grid xy2 rb2 "
! grep -q 'a race is split' campaigns/wide.1/logs/*.err || fail "split with room"

# The memory of the ranks themselves: a gigabyte less the rest that an array far too large could have.
SLURM_MEM_PER_NODE=1000 "$3" -n 2 "$programs/nuce-stencil" --rows 9000 --columns 9000 >"$work/stdout" 2>&1 || :
left=$(sed -n 's/.* and it has \([0-9]*\) available.*/\1/p' "$work/stdout" | head -n 1)
[ -n "$left" ] || fail "no word of memory: $(cat "$work/stdout")"

# A job with memory for the ranks, and for planes of the reference, its duplicate and one more contender.
export SLURM_JOB_ID=1 SLURM_MEM_PER_NODE=$((1000 - left / 1048576 + 107))
expect 0 nuce run wide.yaml
grep -q 'a race is split: this node.s memory does not hold all contenders' campaigns/wide.2/logs/0001.err ||
    fail "it is not said that a race is split"
says stdout "campaigns/wide.2: 3 points, each in 2 launches: 3 ok"
same "starts where there is not" "$(starts 2)" "grid xy2 
grid xy2 
grid rb2 
grid rb2 "
# With the launch of the first campaign, which are of the same race.
same "launches of the ratios to the reference" \
    "$(value "SELECT group_concat(decomposition || ' ' || contender || ' ' || launches, '; ')
              FROM (SELECT * FROM ratio WHERE contender <> 'reference' ORDER BY decomposition)")" \
    "grid duplicate 5; rb2 contender 3; xy2 contender 3"
same "contenders that raced with one another" \
    "$(value "SELECT max(rivals) || ' ' || min(rivals) FROM against")" "2 2"

# A contender that does not fit beside the reference fails, with the reason in its record. The others continue.
export SLURM_MEM_PER_NODE=$((SLURM_MEM_PER_NODE - 30))
gives_up " available: expected fewer elements, or more nodes" nuce run once.yaml
says stdout "campaigns/wide.3: 3 points: 1 ok, 2 refused"
