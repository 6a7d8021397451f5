#!/bin/sh
# A job script edited and submitted by hand: after its job was cancelled it measures the rest; beside a
# job that runs it does nothing; after the points were given to another job it does nothing.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 2

profile
sweep 6 1 2
submit
eventually 60 has_runs 1 ok
script=campaigns/$name.1/jobs/0001.sh
cluster scancel "$(jobs)"
eventually 30 no_jobs
sed 's/^#SBATCH --job-name=.*/#SBATCH --job-name=by-hand/; s/^#SBATCH --time=.*/#SBATCH --time=5/' \
    "$script" >edited.sh
cluster sbatch edited.sh
eventually 60 has_runs 3 ok
# The first script again while the edited one runs: it waits its turn and finds nothing to do.
cluster sbatch "$script"
none_left() {
    [ -z "$(cluster squeue -h -t PENDING,RUNNING,COMPLETING)" ]
}
eventually 120 none_left
finished 6

submit
eventually 60 has_runs 7 ok
cluster scancel "$(jobs)"
eventually 30 no_jobs
expect 0 nuce resume
eventually 60 no_jobs
before=$(runs)
cluster sbatch "campaigns/$name.2/jobs/0001.sh"
eventually 60 none_left
same "runs after a script of points that were given away" "$(runs)" "$before"
