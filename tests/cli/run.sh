#!/bin/sh
# nuce run and resume when all goes well, and when nothing can be written.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

small fine
expect 0 launch run fine.yaml
says stdout "campaigns/fine.1: 12 points: 12 ok"
says stderr "look: nuce table quick, nuce figure quick, nuce report"
same "ok runs" "$(ok_runs campaigns/fine.1)" 12
same "points" "$(ok_points campaigns/fine.1)" 12
cmp fine.yaml campaigns/fine.1/sweep.yaml
grep -q '"campaign": "fine.1"' campaigns/fine.1/campaign.json
same "plan lines" "$(wc -l <campaigns/fine.1/plan.jsonl)" 12
same "launches" "$(find campaigns/fine.1/launches -name '*.jsonl' | wc -l)" 2

# The database of the line is that of the run; collecting says it too, and of all campaigns which
# there are.
expect 0 nuce collect fine.1 --database "an other.db"
says stderr "look: nuce table quick --database 'an other.db', nuce figure quick --database 'an other.db'"
expect 0 nuce collect
says stderr "look: nuce show campaigns, nuce report"

# A sweep or a campaign is not a table, but has one.
expect 2 nuce table fine
says stderr "'fine' is a sweep, not a table: expected 'nuce table quick'"
expect 2 nuce table fine.1
says stderr "'fine.1' is a campaign, not a table: expected 'nuce table quick --campaign fine.1'"
expect 2 nuce figure arrays-measured.3
says stderr "expected 'nuce table arrays-measured --campaign arrays-measured.3'"
expect 2 nuce table arrays-rebalances
says stderr "did you mean 'arrays-rebalance'?"
expect 2 nuce table exchange-table5-cm5
says stderr "expected 'nuce table exchange-table5'"
expect 2 nuce table other.1
says stderr "unknown table or figure 'other.1'"

# The next one has the next number and, the seed being the same, the same order.
expect 0 launch run fine.yaml
cmp campaigns/fine.1/plan.jsonl campaigns/fine.2/plan.jsonl
echo 'seed: 2' >>fine.yaml
expect 0 launch run fine.yaml
cmp -s campaigns/fine.1/plan.jsonl campaigns/fine.3/plan.jsonl && fail "the seed changes nothing"

# Nothing to do: nothing is measured again.
expect 0 launch resume fine.1
expect 0 launch resume campaigns/fine.1/
expect 0 launch resume
says stdout "campaigns/fine.3: 12 points: 12 ok"
same "runs" "$(ok_runs campaigns/fine.1)" 12

# The kernel refuses: its message, status 2. It fails at once: status 1. No launcher: status 1.
small odd
expect 2 env FAKE_SILENT=2 "$work/bin/nuce" run --mpiexec "$here/fake-mpiexec" odd.yaml
says stderr "not to my taste"
expect 1 env FAKE_SILENT=3 "$work/bin/nuce" resume --mpiexec "$here/fake-mpiexec"
says stderr "status 3"
expect 1 nuce resume --mpiexec "$work/no-such-launcher"
says stderr "cannot start"
! grep -q '^look' "$work/stderr" || fail "there is nothing to look at"
expect 0 launch resume odd.1
same "runs" "$(ok_runs campaigns/odd.1)" 12

# A plan that is cut off, or not there, is no campaign.
cp -r campaigns/odd.1 campaigns/odd.2
truncate -s -5 campaigns/odd.2/plan.jsonl
expect 2 launch resume odd.2
says stderr "cut off"
rm campaigns/odd.2/plan.jsonl
expect 2 launch resume odd.2
says stderr "no plan.jsonl"

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
