#!/bin/sh
# Hostile text in every string of a sweep and a profile, and in the folder's name: no canary is touched, and valid
# points still run.
# shellcheck source=tests/cluster/common.sh disable=SC2119
. "$(dirname "$0")/common.sh"
up --nodes 2

# Other tests on this machine have files of that name, so this one has a number.
canary=canary-${NUCE_CLUSTER##*-}
# shellcheck disable=SC2016 # not to be expanded
hostile='%j%% %x a b "c" $(touch '$canary') `touch '$canary'` '"'"'; touch '$canary' #'
mkdir -p "$hostile"
cd "$hostile"
profile
sweep 2 0.2 2
quoted=$(printf %s "$hostile" | sed "s/'/''/g")
{
    printf "slurm:\n  comment: '%s'\n" "$quoted"
} >>sweep.yaml
submit
eventually 60 no_jobs
finished 2
[ -n "$(find campaigns -name '0001-*.out' ! -name '*slurm*' -size +0)" ] || fail "no log in the campaign's folder"
# Behind a backslash sbatch replaces nothing in the name of the log.
expect 0 nuce submit sweep.yaml --profile profile.yaml --campaigns 'back\slash %j'
eventually 60 no_jobs
[ -n "$(find 'back\slash %j' -path '*/logs/0001.out' -size +0)" ] || fail "no log behind a backslash"
expect 0 nuce status --campaigns 'back\slash %j'
says "2: 2 done"
for key in partition account constraint qos; do
    sed "s/^  comment:/  $key:/" sweep.yaml >"$key.yaml"
    status=0
    nuce submit "$key.yaml" --profile profile.yaml --dry-run >said 2>&1 || status=$?
    [ "$status" = 0 ] || [ "$status" = 2 ] || fail "$key: status $status"
    grep -v '^#' said | sh -n || fail "$key: what is printed cannot be read by a shell"
done
found=$(find "$shared" "$project" / -maxdepth 6 -xdev -name "$canary" -newer profile.yaml 2>/dev/null | head -n 1)
[ -z "$found" ] || fail "$found"
