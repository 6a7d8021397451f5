#!/bin/sh
# Takes down clusters that killed tests have left: down.sh PROJECT BUILD SHARED.
set -eu
project=$1
build=$2
shared=$3
number=$(printf %s "$build" | cksum | cut -d ' ' -f 1)
for state in /run/test-*"$number"-cluster; do
    [ -d "$state" ] || continue
    name=${state#/run/}
    NUCE_CLUSTER=${name%-cluster} "$project/slurm/virtual/cluster" down
done
umount "$shared/fulldisk/campaigns" 2>/dev/null || :
