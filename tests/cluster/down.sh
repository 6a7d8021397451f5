#!/bin/sh
# Takes down what up.sh brought up: down.sh PROJECT SHARED.
set -eu
project=$1
shared=$2
export NUCE_CLUSTER=nuce-faults
status=0
"$project/slurm/virtual/cluster" down || status=$?
umount "$shared/small" 2>/dev/null || :
rm -rf "$shared"
exit "$status"
