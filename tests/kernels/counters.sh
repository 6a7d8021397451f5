#!/bin/sh
# counters.sh MPIEXEC PROGRAM LIBRARY: the events of a list with blanks are counted in the steps that are samples
# only, not in the warm-up or the check. LIBRARY is fake_papi.c's.
set -eu
mpiexec=$1 program=$2 library=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

params='{"block":4,"element-bytes":8,"elements":1000,"factor":3,"schedule":"ac","seed":1}'
point=$(printf '{"params":%s,"ranks":2,"workload":"redistribute"}' "$params" | sha256sum | cut -d ' ' -f 1)
printf '{"point":"%s","workload":"redistribute","ranks":2,"params":%s,"measure":{"min-samples":5,"max-samples":5,"papi":" ANY , ANY"}}\n' \
    "$point" "$params" >plan.jsonl
"$mpiexec" -n 2 env LD_PRELOAD="$library" "$program" --points plan.jsonl --records records.jsonl >out 2>&1 || {
    cat out >&2
    exit 1
}
# Five steps of two ranks.
for part in pack communication unpack; do
    grep -qF "{\"event\":\"ANY\",\"part\":\"$part\",\"value\":10}" records.jsonl || {
        grep -o '"counters":[^]]*' records.jsonl >&2
        echo "$part: expected 10" >&2
        exit 1
    }
done
