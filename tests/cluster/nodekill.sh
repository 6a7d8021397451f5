#!/bin/sh
# A node dies in the middle of a race, and the job with it: the run whose turn it was is recorded as
# interrupted, and the race is measured again. In the end no launch of a race is lost, and none counted
# twice. (requeue.sh kills the node with the batch step.)
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 4

profile
hold 2
sweep 8 0.3 4
sed -i 's/launches: 1/launches: 2/' sweep.yaml
submit
eventually 60 has_runs 2 ok
dies n2
eventually 90 no_jobs
go
same "nodes that Slurm drained" "$(cluster sinfo -h -N -o '%N %T' | grep drain || :)" ""
cluster revive n2
# A drained node is taken back.
cluster scontrol update NodeName=n1 State=DRAIN Reason=test
cluster revive n1
same "n1" "$(cluster sinfo -h -n n1 -o %T)" idle
# The batch step may outlive its job by some seconds, waiting for a sample: until then status says so,
# and resume would end with 75.
ended() {
    nuce status >said 2>&1 && ! grep -qF "is ending" said
}
eventually 60 ended
expect 0 nuce status
says "a node failed"
# Only srun's message names the lost node, not a table of Slurm. It may name another one: while a node does not
# answer, Slurm may also miss a node on a busy machine.
says "lost a node; the end of its log, "
says "Node failure on n"
expect 0 nuce resume
eventually 60 no_jobs
resume_all
finished 8
# On a busy machine the node may die between two races: then none had begun. Else one run had its turn. Its
# rank may write that long after its job has ended, and the next resume finds it.
died=$(for file in campaigns/*/records/*.jsonl; do
    case $file in *-lost.jsonl) continue ;; esac
    awk '/"record":"begin"/ { begun++ } /"record":"run"/ { ended++ } END { if (begun > ended) print 1 }' "$file"
done | wc -l)
same "points that have two runs of one launch" "$(value "SELECT count(*) FROM
    (SELECT point FROM run WHERE status = 'ok' GROUP BY point HAVING count(*) <> count(DISTINCT job))")" 0
same "launches of races that have their noise" "$(value "SELECT min(launches) FROM ratio")" 2
same "runs that died" "$(value "SELECT count(*) FROM run WHERE status = 'interrupted'")" "$died"
same "reason" "$(value "SELECT count(*) FROM run WHERE message LIKE '%a node failed%'")" "$died"
