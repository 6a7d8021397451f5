#!/bin/sh
# nuce plan: counts, formats, shipped names; bad sweeps are refused with their place, all at once.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

small good
prints "points       12" nuce plan good.yaml
says stdout "races        6, of up to 2 contenders each"
says stdout "launches     1 of each race (measure: launches), 2 starts"
says stdout "schedule   ac (6), rs-n (6)"
says stdout "item-bytes 16B (4), 32B (4), 64B (4)"

# The cost of jobs is shown where jobs are possible: with a profile, a sweep with `slurm:`, or sbatch in PATH.
if ! command -v sbatch >/dev/null; then
    ! grep -q '^submitted' "$work/stdout" || fail "jobs on a machine without Slurm"
fi
echo 'account: mine' >any.yaml
prints "submitted    2 jobs, nodes left to Slurm: at most " nuce plan good.yaml --profile any.yaml
sed '$a slurm: {time: "00:30:00"}' good.yaml >said.yaml
prints "submitted    2 jobs, nodes left to Slurm: at most 1 job-hours (by time limits)" nuce plan said.yaml

# Values are in the order of the sweep. For jobs of a cluster, the processors here are not mentioned.
sed 's/item-bytes: .*/item-bytes: [64B, 1KiB, 16KiB, 4KiB]/; s/ranks: .*/ranks: [2, 200]/' good.yaml >ordered.yaml
prints "item-bytes 64B (4), 1KiB (4), 16KiB (4), 4KiB (4)" nuce plan ordered.yaml
says stdout "200 ranks are oversubscribed"
echo 'nodes: 2' >two.yaml
expect 0 nuce plan ordered.yaml --profile two.yaml
! grep -q oversubscribed "$work/stdout" || fail "the processors of this machine are said of a cluster"

# Points that run on no node take no node-hours.
prints "unknown in wall time, at most" nuce plan scale-fat-tree
prints "modelled     all: nothing is run, 'nuce run --modelled' computes it" nuce plan mapping-figures
! grep -qE '^(estimate|processors) ' "$work/stdout" || fail "what is computed is estimated as a run"
prints "modelled     2592 points more: only 'nuce run --modelled' computes them" nuce plan arrays-tables
says stdout "races        180, of up to 6 contenders each"
expect 0 nuce plan good.yaml --format json
same "JSON lines" "$(wc -l <"$work/stdout")" 12
says stdout '"canonical":"{\"params\"'
expect 0 nuce plan good.yaml --format csv
same "CSV lines" "$(wc -l <"$work/stdout")" 13

# The id is the sha256sum of the canonical text, as documented.
nuce plan good.yaml --format json | head -n 1 >line
id=$(sed 's/.*"point":"\([0-9a-f]*\)".*/\1/' line)
sed 's/.*"canonical":"\(.*\)","measure":.*/\1/; s/\\"/"/g' line | tr -d '\n' >canonical
same "id" "$(sha256sum <canonical | cut -d ' ' -f 1)" "$id"

# All shipped sweeps can be planned, by name.
nuce list sweeps --format csv | tail -n +2 | cut -d, -f1 >names
while read -r name; do
    expect 0 nuce plan "$name"
done <names

# A file that no bundle could hold is used, and not copied: the error would show only when the bundle is read.
printf '4\n0 1 8\n' >"my pattern.com"
cp "my pattern.com" mine.com
printf 'name: t\nworkload: exchange\nsweep: {schedule: ac, com: [my pattern.com, mine.com]}\n' >blank.yaml
expect 0 nuce plan blank.yaml
says stderr "blank.yaml:3:29: note: com: 'my pattern.com' is not copied into the campaign or a bundle"
same "notes" "$(grep -c note "$work/stderr")" 1

# Errors come first, and then a note that the others were not checked.
cat >cut.yaml <<'EOF2'
name: cut
workload: exchange
ranks: [2]
sweep: {schedule: [ac, rs-n], mesh: [none.graph], item-bytes: [1B, 2B, 3B, 4B, 5B, 6B, 7B, 8B, 9B, 10B, 11B, 12B]}
EOF2
expect 2 nuce plan cut.yaml
tail -n 2 "$work/stderr" | grep -q "cut.yaml: 20 combinations cannot be run; the others were not" ||
    fail "it is not said last: $(cat "$work/stderr")"

cat >bad.yaml <<'EOF'
name: bad name
workload: exchange
ranks: [0, -3]
sweep:
  shedule: [ac]
  schedule: [acc]
measure: {target-ci: 5}
nodes: 3
EOF
refuses "bad.yaml:1:7: name: 'bad name'" nuce plan bad.yaml
says stderr "bad.yaml:3:12: ranks: '-3': expected at least 1"
says stderr "bad.yaml:5:3: unknown key 'shedule' (did you mean 'schedule'?)"
says stderr "bad.yaml:6:14: unknown schedule 'acc' (did you mean 'ac'?)"
says stderr "measure: target-ci: '5' is 500 %: expected a fraction, 0.05 for 5 %"
says stderr "bad.yaml:8:1: unknown key 'nodes': 'ranks' sets the number of processes, 'slurm: {nodes: N}' that of nodes"
expect 2 launch run bad.yaml
refuses "no sweep 'nowhere.yaml': expected a file, or a name of 'nuce list sweeps'" nuce plan nowhere.yaml
expect 2 nuce plan .

# Events as a list; counted points do not race, which plan and run report.
small counted
sed -i 's/^measure: .*/measure: {launches: 1, papi: [PAPI_A, PAPI_B]}/' counted.yaml
prints '"papi":"PAPI_A,PAPI_B"' nuce plan counted.yaml --format json
says stderr "counted.yaml:9:30: note: papi: a rank counts for one contender only"
sed -i 's/^measure: .*/measure: {papi: []}/' counted.yaml
refuses "counted.yaml:9:17: papi: an empty list" nuce plan counted.yaml
# YAML 1.2's words for a flag; and a note at the key says that no exchange uses the mesh's weights.
printf '3 2 011\n5 2 1\n6 1 1 3 1\n7 2 1\n' >weighted.graph
sed -i -e 's/^  pattern: .*/  mesh: weighted.graph/; /degree/d; s/^ranks: .*/ranks: 2/' \
    -e 's/^measure: .*/measure: {launches: 1, per-rank: True}/' counted.yaml
expect 0 nuce plan counted.yaml
says stderr "counted.yaml:6:9: note: mesh: the weights of nodes and edges are not used"
sed -i 's/True/Tru/' counted.yaml
refuses "'Tru': expected true or false" nuce plan counted.yaml
rm counted.yaml weighted.graph
same "files written" "$(find . -newer good.yaml -type d -mindepth 1 | wc -l)" 0

small many
sed -i 's/^ranks: .*/ranks: 4096/' many.yaml
refuses "many.yaml:3:8: ranks: '4096': this launcher starts at most 256 (--max-ranks)" launch run many.yaml
[ ! -e campaigns ] || fail "bad input has written something"

# Earlier campaigns tell the time of their points and starts.
unknown=", whose time is known after a first run; 'time mpiexec -n 3 true' is near it"
prints "about 1.20s of sampling where a step takes 1ms, at most 18.0s (measure: time-limit), without set-up" nuce plan good.yaml
says stdout "$unknown"
expect 0 launch run good.yaml
sed -i 's/"status":"ok"/&,"wall_s":2.0,"stopped":"target-ci"/' campaigns/good.1/records/*
prints "estimate     about 24.0s with set-up, as in campaigns/good.1" nuce plan good.yaml
says stdout " for 2 starts, as in campaigns/good.1"
# A modelled campaign tells nothing; points and rank counts that were not measured have no earlier time.
cp "$programs/nuce-model" "$work/bin/nuce-model"
expect 0 nuce run good.yaml --modelled
prints "estimate     about 24.0s with set-up, as in campaigns/good.1" nuce plan good.yaml
sed 's/64B/128B/; s/3\]/4]/' good.yaml >other.yaml
prints "estimate     about 8.80s: 4 of 12 points as in campaigns/good.1, the others where a step takes 1ms, these at most 12.0s" \
    nuce plan other.yaml
says stdout "and 2 starts, whose time is known after a first run; 'time mpiexec -n 4 true' is near it"
# A run that had all its rounds, two, has all of the plan's again: 100 seconds.
sed 's/launches: 1/launches: 1, max-samples: 100/' good.yaml >longer.yaml
sed -i 's/"target-ci"/"max-samples"/' campaigns/good.1/records/*
prints "estimate     about 1200s with set-up" nuce plan longer.yaml
expect 0 launch run longer.yaml
says stderr "about 1200s with set-up, as in campaigns/good.1, plus starting the ranks"
rm -r campaigns/good.3 campaigns/good.2
# Another MPI library, another launcher and a campaign from a bundle tell nothing.
sed -i 's/"described":{/&"mpi":{"library":"Nosuch 1.0"},/' campaigns/good.1/records/*
prints "of sampling where a step takes 1ms" nuce plan good.yaml
says stdout "$unknown"
sed -i 's/"library":"Nosuch 1.0"/"library":"MPICH Open MPI"/' campaigns/good.1/records/*
prints "with set-up, as in campaigns/good.1" nuce plan good.yaml
prints "and 2 starts, whose time is known after a first campaign" nuce plan good.yaml --profile any.yaml
touch campaigns/good.1/imported
prints "of sampling where a step takes 1ms" nuce plan good.yaml
rm -r campaigns nuce.db

# Without Slurm a dry run shows the jobs, and says that they would not be submitted from here.
expect 0 env PATH=/nowhere "$work/bin/nuce" submit good.yaml --dry-run
says stderr "this would not be submitted now: sbatch: not in PATH"
says stdout "# jobs/0001.sh:"

# plan, submit --dry-run and submit say the same of jobs and node-hours: those of the jobs that are
# submitted, as their own scripts have it.
fake_slurm
printf 'slurm: {ntasks-per-node: 2, time: "30:00"}\n' >>good.yaml
printf 'time: 02:00:00\nlauncher: srun\n' >mine.yaml
expect 2 nuce plan good.yaml --profile nowhere.yaml
refuses "a simulated or computed sweep is not submitted" nuce plan scale-fat-tree --profile mine.yaml
expect 0 nuce plan good.yaml --profile mine.yaml
planned=$(sed -n 's/^submitted *//p' "$work/stdout")
expect 0 nuce submit good.yaml --profile mine.yaml --dry-run
says stdout "# each launch in a job: srun --nodes="
says stdout " --ntasks-per-node=2 --kill-on-bad-exit=1 --export=ALL nuce-exchange ..."
same "cost of a dry run" "$(sed -n 's/^# in all: //p' "$work/stdout")" "$planned"
expect 0 nuce submit good.yaml --profile mine.yaml
same "cost of what is submitted" "$(sed -n 's/^in all: //p' "$work/stdout")" "$planned"
nodes=$(sed -n 's/^#SBATCH --nodes=//p' campaigns/good.1/jobs/*.sh | awk '{ sum += $1 } END { print sum }')
same "node-hours" "${planned#*at most }" \
    "$(echo "$nodes" | awk '{ print $1 / 2 }') node-hours (by time limits), ${planned#*limits), }"
