#!/bin/sh
# nuce run and resume when all goes well, and when nothing can be written.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

small fine
prints "campaigns/fine.1: 12 points: 12 ok" launch run fine.yaml
says stderr "look: nuce show fine.1, nuce figure fine.1, nuce report fine.1"
same "ok runs" "$(ok_runs campaigns/fine.1)" 12
same "points" "$(ok_points campaigns/fine.1)" 12
cmp fine.yaml campaigns/fine.1/sweep.yaml
grep -q '"campaign": "fine.1"' campaigns/fine.1/campaign.json
same "plan lines" "$(wc -l <campaigns/fine.1/plan.jsonl)" 12
same "launches" "$(find campaigns/fine.1/launches -name '*.jsonl' | wc -l)" 2

# The line names the run's database. Collecting names it too, and the number of campaigns.
expect 0 nuce collect fine.1 --database "an other.db"
says stderr "look: nuce show fine.1 --database 'an other.db', nuce figure fine.1 --database 'an other.db'"
expect 0 nuce collect
says stderr "look: nuce show campaigns, nuce report"

# A sweep or a campaign is not a table, but has one, once it is collected.
prints "fine: time relative to the reference, 95 % intervals over launches" nuce table fine
mv "$work/stdout" table
expect 0 nuce show fine
cmp table "$work/stdout" || fail "table and show of a sweep differ"
expect 0 nuce table fine.1 --format csv
for name in fine fine.1 other.1 first-exchange; do
    for subcommand in table figure; do
        refuses "none.db: no database yet: 'nuce collect' makes it" nuce $subcommand $name --database none.db
    done
done
expect 0 nuce collect fine.1 --database one.db
small later
expect 0 launch run later.yaml --database other.db
for name in later later.1 other.1 first-exchange arrays-measured.3; do
    refuses "campaign '$name' is not in one.db: see 'nuce show campaigns'" nuce figure $name --database one.db
done
refuses "did you mean 'arrays-rebalance'?" nuce table arrays-rebalances
refuses "'exchange-table5-cm5' is a sweep, not a table: expected 'nuce table exchange-table5'" \
    nuce table exchange-table5-cm5
refuses "unknown table or figure 'other'" nuce table other

# The next one has the next number and, the seed being the same, the same order.
expect 0 launch run fine.yaml
cmp campaigns/fine.1/plan.jsonl campaigns/fine.2/plan.jsonl
echo 'seed: 3' >>fine.yaml # seeds 1 and 2 have the same order here
expect 0 launch run fine.yaml
cmp -s campaigns/fine.1/plan.jsonl campaigns/fine.3/plan.jsonl && fail "the seed changes nothing"

# Nothing to do: nothing is measured again.
expect 0 launch resume fine.1
expect 0 launch resume campaigns/fine.1/
prints "campaigns/fine.3: 12 points: 12 ok" launch resume
same "runs" "$(ok_runs campaigns/fine.1)" 12

# The kernel refuses: its message, status 2. It fails at once: status 1. No launcher: status 1.
small odd
refuses "not to my taste" env FAKE_SILENT=2 "$work/bin/nuce" run --mpiexec "$here/fake-mpiexec" odd.yaml
gives_up "status 3" env FAKE_SILENT=3 "$work/bin/nuce" resume --mpiexec "$here/fake-mpiexec"
gives_up "cannot start" nuce resume --mpiexec "$work/no-such-launcher"
! grep -q '^look' "$work/stderr" || fail "there is nothing to look at"
expect 0 launch resume odd.1
same "runs" "$(ok_runs campaigns/odd.1)" 12

# A run that would fail at its end is refused before anything is measured.
expect 2 nuce run odd.yaml --mpiexec "$work/no-such-launcher"
says stderr "--mpiexec: '$work/no-such-launcher': No such file or directory: expected a program that starts the ranks"
refuses "--database: nowhere/a.db: nowhere/: No such file or directory" launch run odd.yaml --database nowhere/a.db
refuses "--database: odd.yaml: not a database" launch run odd.yaml --database odd.yaml
refuses "--database: odd.yaml: not a database" launch resume odd.1 --database odd.yaml
for given in "no/such: No such file or directory" "odd.yaml: Not a directory"; do
    refuses "--campaigns: $given" launch run odd.yaml --campaigns "${given%%:*}"
    refuses "--campaigns: $given" nuce import none.tar.gz --campaigns "${given%%:*}"
    refuses "--campaigns: $given" nuce race --campaigns "${given%%:*}" -- touch ran -- touch ran
done
refuses "--database: nowhere/a.db: nowhere/: No such file or directory" nuce collect --database nowhere/a.db
refuses "--database: nowhere/a.db: nowhere/: No such file or directory" nuce import none.tar.gz --database nowhere/a.db
[ ! -e campaigns/odd.2 ] || fail "a campaign was made that could not be run"
[ ! -e ran ] || fail "a command was tried for a race that cannot be run"

# A plan that is cut off, or not there, is not a campaign.
cp -r campaigns/odd.1 campaigns/odd.2
truncate -s -5 campaigns/odd.2/plan.jsonl
refuses "cut off" launch resume odd.2
rm campaigns/odd.2/plan.jsonl
refuses "no plan.jsonl" launch resume odd.2

# A file that cannot be written leaves no campaign behind.
small full
(
    trap '' XFSZ
    ulimit -f 0
    status=0
    launch run full.yaml >/dev/null 2>&1 || status=$?
    [ "$status" -eq 1 ]
) || fail "a full disk did not end with 1"
[ ! -e campaigns/full.1 ] || fail "a full disk left half a campaign"

# The races of a campaign, by its name or its sweep's, within 100 columns; --wide shows the rest.
prints "exchange uniform d = 2, 2 ranks, item-bytes 16 B" nuce show fine.1
says stdout "campaign fine.1"
awk 'length > 100 { exit 1 }' "$work/stdout" || fail "wider than 100 columns"
# A program of that name is not a capture.
cp "$work/bin/nuce" fine
prints "campaign fine.$(find campaigns -maxdepth 1 -name 'fine.*' | wc -l)" nuce show fine
rm fine
for subcommand in status resume; do
    expect 0 nuce "$subcommand" fine
    cat "$work/stderr" >>"$work/stdout"
    says stdout "campaigns/fine.$(find campaigns -maxdepth 1 -name 'fine.*' | wc -l)"
done
expect 0 nuce explain --campaign fine "$(sed -n '1s/.*"point":"\([0-9a-f]*\)".*/\1/p' campaigns/fine.1/plan.jsonl)"
refuses "campaigns/fine.$(find campaigns -maxdepth 1 -name 'fine.*' | wc -l): was not submitted" nuce cancel fine
refuses "campaigns/fin: no such campaign" nuce status fin
# The file that was run is a slip for its name.
expect 2 nuce show fine.yaml
says stderr "fine.yaml: expected a capture of nuce; for the newest campaign of a sweep give its 'name:': 'nuce show NAME'"
expect 2 nuce figure ./fine.yaml
says stderr "./fine.yaml: expected a capture of nuce; for the newest campaign of a sweep give its 'name:': 'nuce figure NAME'"
printf '[1]\n' >list.yaml
refuses "list.yaml: expected a capture of nuce" nuce show list.yaml
prints ",longest_bytes," nuce show fine.1 --format csv
refuses "or a campaign or sweep that nuce.db has runs of" nuce show fine.7

# If no run ended well, the output says so, and names the command that shows more.
small lost
sed -i 's/item-bytes: .*/item-bytes: 16B/' lost.yaml
FAKE_CRASH=16 expect 1 launch run lost.yaml
expect 0 nuce show lost.1
same "what is shown" "$(cat "$work/stdout")" \
    "no run of lost.1 ended well: 'nuce status lost.1' shows the state of its points"
expect 0 nuce show lost.1 --format csv
same "lines of csv" "$(wc -l <"$work/stdout")" 1

# A campaign keeps the files that its points name: the original may be deleted, the folder moved, and a bundle has the
# copy.
printf '4 4\n2 4\n1 3\n2 4\n3 1\n' >mine.graph
cat >mesh.yaml <<'YAML'
name: mesh
workload: exchange
ranks: [2]
sweep: {schedule: [ac, lp], mesh: [mine.graph], item-bytes: [16B]}
measure: {launches: 1}
YAML
expect 0 nuce plan mesh.yaml --format json
planned=$(sed 's/.*"point":"\([0-9a-f]*\)".*/\1/' "$work/stdout" | sort)
expect 0 launch run mesh.yaml
kept=$(find campaigns/mesh.1/inputs -type f)
cmp "$kept" mine.graph
grep -q "\"mesh\":\"${kept#campaigns/mesh.1/}\"" campaigns/mesh.1/plan.jsonl ||
    fail "the plan does not name the copy"
grep -q "\"mesh\":\"$kept\"" campaigns/mesh.1/launches/0001.jsonl ||
    fail "the program was not given the copy"
same "points" "$(sed 's/.*"point":"\([0-9a-f]*\)".*/\1/' campaigns/mesh.1/plan.jsonl | sort)" \
    "$planned"
rm mine.graph campaigns/mesh.1/records/*
mv campaigns moved
expect 0 launch resume mesh.1 --campaigns moved
grep -q '"mesh":"moved/mesh.1/inputs/' moved/mesh.1/launches/0002.jsonl ||
    fail "a campaign that was moved does not find its files"
expect 0 nuce bundle mesh.1 --campaigns moved
expect 0 nuce import mesh.1.tar.gz
[ -f "$kept" ] || fail "the bundle does not have the mesh"
expect 0 nuce verify mesh.1.tar.gz

# A message beside the results names events that could not be counted.
small counted
expect 0 launch run counted.yaml
! grep -q 'NOT COUNTED' "$work/stdout" || fail "an event where none was asked for"
edit_records 's/"record":"run",/&"counters":[{"event":"ANY","part":"communication","value":null}],/' \
    campaigns/counted.1/records/*.jsonl
prints "NOT COUNTED: PAPI could not count ANY." nuce collect counted.1
