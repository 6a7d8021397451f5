#!/bin/sh
# A job is cancelled by hand; then `nuce cancel` cancels only this campaign's jobs.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 2

profile
hold 2
sweep 8 0.3 2
submit
eventually 60 has_runs 2 ok
cluster scancel "$(jobs)"
eventually 30 no_jobs
expect 0 nuce status
expect 0 nuce resume
eventually 60 running

printf '#!/bin/sh\nsleep 60\n' >other.sh
other=$(cluster sbatch --parsable -o /dev/null -J "nuce-$name.1-0002-0" other.sh)
expect 0 nuce cancel
only_other() {
    [ "$(jobs)" = "$other" ]
}
eventually 30 only_other
cluster scancel "$other"
eventually 30 no_jobs
go
resume_all
finished 8

# Cancelled while it waits: the output says that nothing was started.
blocker=$(cluster sbatch --parsable -N2 --exclusive -o /dev/null --wrap 'sleep 60')
submit
waiting() {
    [ -n "$(jobs PENDING)" ]
}
eventually 30 waiting
cluster scancel "$(jobs PENDING)"
eventually 30 no_jobs
expect 0 nuce status
says "was cancelled while it waited: nothing of it was started, and a resume submits it again"
cluster scancel "$blocker"
