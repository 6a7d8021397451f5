#!/bin/sh
# A rank crashes at some points: each is recorded as failed with the last lines of the log, the others continue, and
# resume runs the failed ones again.
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"

small crash
export FAKE_CRASH=32 FAKE_TORN=1
expect 1 launch run crash.yaml
says stdout "12 points: 8 ok, 4 failed"
says stderr "a rank lost its way"
same "ok points" "$(ok_points campaigns/crash.1)" 8
same "failed runs" "$(cat campaigns/crash.1/records/*-lost.jsonl | grep -c '"status":"failed"')" 4
grep -q 'mpiexec ended with status 7: nuce-fake: a rank lost its way' \
    campaigns/crash.1/records/*-lost.jsonl || fail "the record does not say why"
# The records of the harness are as good as the kernel's: the database has them.
nuce query --format csv "SELECT status, count(*) FROM run GROUP BY status ORDER BY status" >counts
same "runs in the database" "$(tail -n +2 counts | tr '\n' ' ')" "failed,4 ok,8 "

# Not mended: each failed point has one more run, the good ones none.
expect 1 launch resume crash.1
same "ok runs" "$(ok_runs campaigns/crash.1)" 8
same "failed runs" "$(cat campaigns/crash.1/records/*-lost.jsonl | grep -c '"status":"failed"')" 8

unset FAKE_CRASH
prints "12 points: 12 ok" launch resume crash.1
same "ok runs" "$(ok_runs campaigns/crash.1)" 12
same "points" "$(ok_points campaigns/crash.1)" 12
