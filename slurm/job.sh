#!/bin/sh
# The common body of nuce's job scripts: it becomes nuce-job, the batch step, which gets the signals
# of Slurm. nuce writes the options of sbatch and the number of the submission above these lines.
#
# Slurm runs a copy of the script in the campaign's folder. If it cannot change to that folder, it
# uses /tmp, where any user can leave files. So the file that the script reads must belong to the
# user.
# shellcheck disable=SC2154 # number is set above
set -eu
if [ -z "$(find jobs/programs -user "$(id -u)")" ]; then
    printf '%s: expected the folder of a campaign, with a file jobs/programs of its owner: does the node %s see %s? Campaigns have to be in a folder that all nodes share (nuce submit --campaigns)\n' \
        "$(pwd)" "$(hostname)" "${SLURM_JOB_WORK_DIR:-${SLURM_SUBMIT_DIR:-that folder}}" >&2
    exit 1
fi
IFS= read -r programs <jobs/programs
exec "$programs/nuce-job" "$number"
