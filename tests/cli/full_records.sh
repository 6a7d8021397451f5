#!/bin/sh
# The disk fills up while a campaign runs: a clear message, status 1, the records before it whole;
# with space again, resume completes it. Needs a file system of its own, so root or user namespaces.
if [ -z "${NUCE_OWN_MOUNTS:-}" ]; then
    export NUCE_OWN_MOUNTS=1
    for options in --mount "--mount --map-root-user"; do
        # shellcheck disable=SC2086 # a list of words
        unshare $options true 2>/dev/null && exec unshare $options "$0" "$@"
    done
    echo "skipped: no rights to mount a file system" >&2
    exit 77
fi
# shellcheck source=tests/cli/common.sh
. "$2/common.sh"
real_kernel nuce-exchange
mkdir small
# Room for the three runs of the first launch, and not for those of the second: records are
# large beside all else that is written.
mount -t tmpfs -o size=500k none small || exit 77
trap 'umount "$work/here/small"; rm -rf "$work"' EXIT

cat >full.yaml <<'YAML'
name: full
workload: exchange
ranks: 2
sweep:
  schedule: [ac, lp, rs-n]
  pattern: uniform
  degree: 2
  item-bytes: [16B, 1KiB]
  instances: 4
measure: {launches: 1, warmup: 1, min-samples: 2000, max-samples: 2000, target-ci: 0, time-limit: 10min, timeout: 10min}
YAML

gives_up "cannot write a record: No space left on device" nuce run full.yaml --campaigns small/c
says stderr "small/c/full.1/records/0001.jsonl"
before=$(ok_runs small/c/full.1)
[ "$before" -ge 1 ] || fail "nothing was recorded before the disk was full"
# Not half a line is left.
[ -z "$(tail -c 1 small/c/full.1/records/0001.jsonl | tr -d '\n')" ] || fail "the last record is torn"
cp small/c/full.1/records/0001.jsonl first

# The disk is still full: no record is lost, and the database elsewhere is intact. There may be no room for the
# launch's log, which would give the reason.
gives_up "No space left on device" nuce resume --campaigns small/c
expect 0 nuce collect --campaigns small/c
same "runs in the database" "$(value "SELECT count(*) FROM run WHERE status = 'ok'")" "$before"
gives_up "small/nuce.db" nuce collect --campaigns small/c --database small/nuce.db

rm -f small/nuce.db*
mount -o remount,size=50m none small
prints "24 points: 24 ok" nuce resume --campaigns small/c
cmp first small/c/full.1/records/0001.jsonl
same "runs and points in the database" "$(value "SELECT count(*), count(DISTINCT point) FROM run WHERE status = 'ok'")" "24,24"
