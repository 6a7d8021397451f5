#!/bin/sh
# Open MPI and MPICH side by side in one campaign, each with the programs that were built for it by the
# nodes' own libraries; srun starts both.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up_built --nodes 3

# The libraries to choose from lie beside the nodes' programs, whatever this machine has.
profile
sed -i 's/^set: {/&OMPI_MCA_mpi_yield_when_idle: 1, /' profile.yaml
sweep 2 0.2 3
sed -i 's/^sweep:/&\n  mpi: [mpich, nosuch]/; s/degree: 1/degree: 2/' sweep.yaml
expect 2 nuce submit sweep.yaml --profile profile.yaml
says "mpi: 'nosuch': expected a library that the programs are built for: mpich, openmpi"
[ ! -e campaigns ] || fail "a campaign was begun"

sed -i 's/nosuch/openmpi/; s/launches: 1/launches: 2/' sweep.yaml
submit
eventually 120 no_jobs
finished 4
same "good runs by library, and what the ranks say that they run with" \
    "$(value "SELECT group_concat(line, '; ') FROM (SELECT json_extract(params, '\$.mpi') || ' ' || count(*) || ' '
        || group_concat(DISTINCT substr(json_extract(described, '\$.mpi.library'), 1, 5)) AS line
        FROM run JOIN point ON point = point.id JOIN job ON job.id = job AND job.campaign = run.campaign
        JOIN environment ON environment = environment.id WHERE status = 'ok' GROUP BY json_extract(params, '\$.mpi') ORDER BY 1)")" \
    "mpich 4 MPICH; openmpi 4 Open "
same "messages" "$(value "SELECT min(json_extract(metrics, '\$.messages')) > 0 FROM run")" 1
same "bad runs" "$(value "SELECT count(*) FROM run WHERE status <> 'ok'")" 0

# A race of programs: one command for each library, in turns in one allocation of 3 nodes. One of them dies in the
# middle; the missing launches are raced again.
program_race mpich "srun --mpi=pmi2 -n {ranks} $programs/$exchange ac" \
    openmpi "srun --mpi=pmix -n {ranks} $programs/../mpi/openmpi/bin/$exchange ac" 3 4
# 8 good runs are there; after 4 more, two launches are whole.
submit_and_lose_node 12
same "launches of the race" "$(value "SELECT max(launches) FROM ratio
    WHERE contender = 'duplicate' AND point IN (SELECT point FROM run WHERE campaign = '$name.2')")" 4
expect 0 nuce show "$name.2"
says "openmpi"
says "noise (mpich vs mpich)"
