#!/bin/sh
# Bad input through the real programs: one message with place, value and expected value, status 2, nothing written;
# under mpiexec one message, not one per rank. Called with MPIEXEC as third argument.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
# shellcheck source=tests/kernels/common.sh
. "$2/../kernels/common.sh"
real_kernel nuce-exchange
mpiexec=$3

# A sweep of one point; $1 replaces its last lines.
sweep() {
    printf 'name: bad\nworkload: exchange\nranks: 3\nsweep:\n  schedule: ac\n%s\n' "$1" >bad.yaml
}

# written: files that nuce may have left.
untouched() {
    for file in campaigns nuce.db nuce.db.lock records.jsonl; do
        [ ! -e "$file" ] || fail "$1: wrote $file"
    done
}

# kernel MESSAGE OPTIONS...: nuce-exchange on three ranks refuses with this one line.
kernel() {
    message=$1
    shift
    expect 2 "$mpiexec" -n 3 "$work/bin/nuce-exchange" "$@"
    # shellcheck disable=SC2154 # in kernels/common.sh
    sed -i "$launchers" "$work/stdout" "$work/stderr"
    says stderr "nuce-exchange: "
    says stderr "$message"
    same "lines for $*" "$(wc -l <"$work/stderr")" 1
    same "results for $*" "$(wc -c <"$work/stdout")" 0
    untouched "$*"
}

# planned KEY FILE MESSAGE: in a sweep, at the file's place there.
planned() {
    sweep "  $1: $2"
    refuses "bad.yaml:6:" nuce "${subcommand:-plan}" bad.yaml
    says stderr "$3"
    untouched "$1 $2"
}

# both KEY FILE MESSAGE: as an option as well, and where it would run.
both() {
    kernel "$3" "--$1" "$2" --schedule ac
    planned "$@"
    subcommand=run
    planned "$@"
    subcommand=
}

# Meshes.
printf '4 4\n2 4\n1 3\n2 4\n3 1\n' >good.graph
printf '4 4\n2 4\n1 3\n2 4\n' >cut.graph
mkdir folder.graph
mkfifo pipe.graph
printf '\033[31m\377\n' >binary.msh
shipped=$programs/../share/nuce/configs/meshes/wing-2800.msh.gz
head -c 3000 "$shipped" >cut.msh.gz
both mesh cut.graph "cut.graph:5:1: the file ends after 3 nodes; expected 4"
planned mesh folder.graph "folder.graph: Is a directory"
both mesh pipe.graph "pipe.graph: not a regular file"
planned mesh binary.msh "binary.msh:1:1: '?[31m?'"
planned mesh cut.msh.gz "the compressed data break off here"
planned mesh nowhere.graph "nowhere.graph: No such file or directory"
planned mesh wing-2801 "unknown mesh 'wing-2801' (did you mean 'wing-2800'?)"
printf '2 1\n2\n1\n' >two.graph
kernel "ranks: '3': more than the 2 nodes of mesh two.graph" --mesh two.graph --schedule ac
sweep "  mesh: two.graph"
refuses "bad.yaml:3:8: ranks: '3': more than the 2 nodes of mesh" nuce run bad.yaml
sweep "  mesh: good.graph
  partition: [kway, rcb]"
for subcommand in plan run; do
    refuses "bad.yaml:7:21: partition: 'rcb': needs coordinates, which this mesh has not" nuce "$subcommand" bad.yaml
    untouched "$subcommand with a partition by coordinates"
done

# COM files.
printf '3\n0 1 -5\n' >negative.com
mkfifo pipe.com
both com negative.com "negative.com:2:5: -5 is out of range; expected the size in bytes"
both com pipe.com "pipe.com: not a regular file"
planned com nowhere.com "nowhere.com: No such file or directory"

# The command line.
kernel "'--frobnicate': unknown option" --frobnicate
kernel "'more': expected only options" more
kernel "bad.yaml:1:" --points bad.yaml --records records.jsonl
: >records
sweep "  pattern: uniform
  degree: 1"
echo "measure: {launches: 1, min-samples: 2, max-samples: 2}" >>bad.yaml
expect 0 nuce run bad.yaml
cp campaigns/bad.1/plan.jsonl .
rm -rf campaigns nuce.db nuce.db.lock
kernel "records: File exists" --points plan.jsonl --records records

# Counts of ranks: known to be wrong before anything runs.
counts() {
    schedule=$1 key=$2 value=$3
    sweep "  pattern: uniform
  degree: 1"
    sed -i "s/schedule: ac/schedule: [ac, $schedule]/; \$a\\  $key: $value" bad.yaml
    refuses "bad.yaml:8:" nuce plan bad.yaml
    says stderr "$key: '$value': $4"
    untouched "$key $value"
}
rm -rf campaigns nuce.db nuce.db.lock records.jsonl
counts tuna radix 1 "expected at least 2"
counts tuna radix 4 "expected 2 to the number of ranks, 3"
counts multi-leader leaders 0 "expected at least 1"
counts multi-leader leaders 4 "expected 1 to the ranks of the largest node, 3"
kernel "--leaders: '4': expected 1 to the ranks of the largest node, 3" \
    --pattern uniform --degree 1 --schedule multi-leader --leaders 4
counts fast node-ranks 4 "expected 1 to the number of ranks, 3"
counts twill group-ranks 4 "expected 1 to the number of ranks, 3"
sweep "  pattern: moe
  imbalance: 2"
refuses "bad.yaml:7:14: imbalance: '2': expected 1 to 1.5: with top-k 2 of 3 experts the busiest expert receives at most 1.5 times the mean" nuce plan bad.yaml
# An option that a schedule ignores causes no message.
sweep "  pattern: uniform
  degree: 1
  radix: 9"
expect 0 nuce plan bad.yaml

# A campaign that is not ours (databases: database.sh).
mkdir -p campaigns/other
echo mine >campaigns/other/file
refuses "campaigns/other: no plan.jsonl: not a campaign" nuce resume other
same "files of the folder" "$(ls -A campaigns/other)" file

cp "$programs/nuce-model" "$work/bin/nuce-model"
# Inputs that would wait, grow or continue for ever. A file of the kernel looks regular:
refuses "/proc/kmsg: not a regular file but the kernel's" "$work/bin/nuce-model" schedule --schedule lp --com /proc/kmsg
# half a megabyte that unpacks to 576 MiB;
head -c 67108864 /dev/zero | gzip >part.gz
cat part.gz part.gz part.gz part.gz part.gz part.gz part.gz part.gz part.gz >bomb.graph.gz
expect 2 "$work/bin/nuce-model" schedule --schedule lp --mesh bomb.graph.gz --ranks 2
says stderr "bomb.graph.gz: more than 512 MiB when unpacked"
rm part.gz bomb.graph.gz
# lists in lists;
{
    printf 'name: bad\nworkload: exchange\nranks: '
    head -c 100000 /dev/zero | tr '\0' '['
} >nested.yaml
refuses "nested.yaml:3:107: nested more than 100 deep" nuce plan nested.yaml
# a statement without an end;
rm -rf campaigns nuce.db
mkdir campaigns
expect 0 nuce collect
expect 1 nuce query --limit 50ms \
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
says stderr "not done after 0.05 s"
# a limit of the size of files.
status=0
(ulimit -f 8 && nuce collect --database limited.db) >"$work/stdout" 2>"$work/stderr" || status=$?
same "exit status at a limit" "$status" 1
grep -q . "$work/stderr" || fail "no message at the limit of file sizes"
